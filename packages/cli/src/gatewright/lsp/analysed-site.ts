import { dirname, join } from 'node:path'
import {
  type BoundConfiguration,
  type ConfigError,
  type ConfigSource,
  type LoadOptions,
  loadConfiguration,
  RecordingSource,
  TextSource,
} from '@gatewright/core'
import type { Job, Subject } from '@gatewright/language-server'
import { loadLines, PolicyServer, type PolicyServerOptions } from '@gatewright/policy'
import { ToolSource } from '../configuration-at.ts'
import { adoptEnvironment } from '../debian-environment.ts'
import { INSTALLATION } from '../installation.ts'
import { installedModules } from '../installed-modules.ts'
import { rootOf } from '../server-root.ts'
import { TREE_OVERRIDE, treeRules } from '../tree-rules.ts'
import { collectMistakes } from './collect-mistakes.ts'

/** A configuration that was loaded for an editor. */
export interface AnalysedSite {
  /** null if it does not load even without the lines that are wrong. */
  readonly configuration: BoundConfiguration | null
  readonly mistakes: readonly ConfigError[]
  /** The files that were read, the main file first, and those that were refused. */
  readonly files: readonly string[]
  readonly serverRoot: string
  /** Files that exist only here. */
  readonly madeUp: ReadonlySet<string>
  /** Every text that was read, without the lines that are wrong. */
  readonly texts: ReadonlyMap<string, string>
  /** Files that exist only in memory, on top of what the site was read from. */
  sourceOf(texts: ReadonlyMap<string, string>): ConfigSource
  /** Opens it for questions. @throws ConfigError */
  open(more?: Partial<PolicyServerOptions>): Promise<PolicyServer>
}

/** Loads the configuration of a job. Nothing is executed that the configuration names. */
export async function analysedSite({ subject, texts: open }: Job): Promise<AnalysedSite> {
  const texts = new Map(Object.entries(open))
  const { configFile, serverRoot, madeUp } = placesOf(subject, texts)
  const own = { ...NOTHING_ELSE, configFile, serverRoot }
  const attempt = async (
    before: readonly string[],
    after: readonly string[],
  ): Promise<AnalysedSite & { readonly record: RecordingSource }> => {
    const record = new RecordingSource(new ToolSource())
    const options = { ...own, before, after: [...after, ...WITHOUT_FILES] }
    const {
      loaded,
      mistakes,
      texts: changed,
    } = await collectMistakes(texts, record, (source) => loadConfiguration({ ...options, source, checkOnly: true }))
    const all = new Map([...Object.entries(record.record.texts), ...changed])
    return {
      configuration: loaded,
      mistakes: mistakes.filter(({ message }) => !DENIED.test(message)),
      files: [...new Set([configFile, ...(loaded?.includes.map(({ path }) => path) ?? []), ...Object.keys(record.record.texts)])],
      serverRoot: loaded?.serverRoot ?? serverRoot,
      madeUp,
      texts: all,
      record,
      sourceOf: (some) => new TextSource(some, record),
      open: (more) => PolicyServer.open({ ...options, source: new TextSource(all, record), ...questionOptions(all), ...more }),
    }
  }
  const first = await attempt([], [])
  if (subject.kind === 'tree') return first
  // A part of a configuration, or one of a server with its modules compiled in: all modules are assumed.
  const before = loadsModules([...first.texts.values()]) ? [] : loadLines(installedModules())
  const whole = before.length === 0 ? first : await attempt(before, [])
  // Files of the same configuration that nothing includes, such as sites that are not enabled, are read after it.
  const others = [...texts.keys()].filter((path) => !isAccessFile(path) && !whole.files.includes(path))
  return others.length === 0
    ? whole
    : attempt(
        before,
        others.map((path) => `Include "${path}"`),
      )
}

/** @returns whether a path is that of a .htaccess file */
export function isAccessFile(path: string): boolean {
  return /\/\.ht[^/]*$/.test(path)
}

/** Errors of what this process must not do are not errors of the configuration. */
const DENIED = /ERR_ACCESS_DENIED|Access to this API has been restricted/

/** Logs and file types do not affect access, and their files may be missing on this machine. */
export const WITHOUT_FILES: readonly string[] = [
  'ErrorLog /dev/null',
  '<IfModule mod_mime.c>',
  'TypesConfig /dev/null',
  '</IfModule>',
]

/** Options under which nothing but the configuration itself is read. */
const NOTHING_ELSE = {
  ...INSTALLATION,
  isConfined: true,
  defines: [],
  skipDocumentRootCheck: true,
  names: { hosts: '', servers: ['127.0.0.1:9'], patience: 50 },
} satisfies Partial<LoadOptions>

function questionOptions(texts: ReadonlyMap<string, string>): Pick<PolicyServerOptions, 'assumed' | 'reach'> {
  return {
    assumed: { folders: new Set(), accessFiles: new Map([...texts].filter(([path]) => isAccessFile(path))) },
    // No other server is asked while a person types.
    reach: 'offline',
  }
}

function placesOf(
  subject: Subject,
  texts: Map<string, string>,
): { readonly configFile: string; readonly serverRoot: string; readonly madeUp: ReadonlySet<string> } {
  if (subject.kind === 'server') {
    adoptEnvironment(dirname(subject.configFile))
    return { configFile: subject.configFile, serverRoot: subject.serverRoot ?? rootOf(subject.configFile), madeUp: new Set() }
  }
  const { configFile, text } = treeRules(subject.folder, TREE_OVERRIDE)
  texts.set(configFile, text)
  return { configFile, serverRoot: join(subject.folder), madeUp: new Set([configFile]) }
}

function loadsModules(texts: readonly string[]): boolean {
  return texts.some((text) => /^\s*LoadModule\s+authz_(?:core|host)_module\b/im.test(text))
}
