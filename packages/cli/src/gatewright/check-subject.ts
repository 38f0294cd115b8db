import { statSync } from 'node:fs'
import type { Problem } from '@gatewright/api'
import { type AssumedFiles, type ConfigSource, FileSource, RecordingSource, TextSource } from '@gatewright/core'
import { dropPrivileges, ownerOf } from '@gatewright/mpm/worker'
import { accessTexts, neededModules, PolicyServer, simulatedTls } from '@gatewright/policy'
import { absolutePath, bytePath } from '../byte-path.ts'
import { DEFAULT_ROOT } from '../program.ts'
import type { CheckRequest } from './check-options.ts'
import { configurationAt, ToolSource } from './configuration-at.ts'
import { INSTALLATION } from './installation.ts'
import { installedModules } from './installed-modules.ts'
import { treeRules } from './tree-rules.ts'

/** The opened subject. */
export interface CheckSubject {
  readonly server: PolicyServer
  /** Places below it are shown relative to it. */
  readonly folder: string
  /** The main document root. */
  readonly documentRoot: string
  /** Folders whose .htaccess files count. */
  readonly accessFolders: readonly string[]
  /** Files of a substitute server that does not exist. */
  readonly madeUp: ReadonlySet<string>
  /** Files of the configuration, by path, one character for each byte. */
  readonly texts: ReadonlyMap<string, string>
  /** Opens the same subject again, with further lines after it. */
  again(after: readonly string[]): Promise<PolicyServer>
}

/** @throws ConfigError if it does not load @returns a problem if the folder does not exist */
export async function openSubject(request: CheckRequest): Promise<CheckSubject | Problem> {
  const rules = request.subject.kind === 'tree' ? treeFiles(request.subject) : serverFiles(request.subject)
  if ('message' in rules) return rules
  const source = new RecordingSource(rules.source)
  const open = (after: readonly string[], from: ConfigSource): Promise<PolicyServer> =>
    PolicyServer.open({
      ...INSTALLATION,
      builtIn: rules.simulatesTls === true ? [...INSTALLATION.builtIn, simulatedTls] : INSTALLATION.builtIn,
      serverRoot: rules.serverRoot,
      configFile: rules.configFile,
      defines: request.defines,
      before: [],
      after,
      source: from,
      // A tree has already been checked for existence.
      skipDocumentRootCheck: request.subject.kind === 'tree',
      logins: request.logins,
      ...(rules.assumed !== undefined && { assumed: rules.assumed }),
    })
  const server = await open([], source)
  // Requests are decided with the rights of a worker, a configuration is read with those of root.
  if (request.subject.kind === 'server') dropPrivileges(ownerOf(server.configuration.plan))
  const { configuration } = server
  return {
    server,
    folder: rules.folder,
    documentRoot: configuration.main.documentRoot,
    accessFolders: configuration.servedFolders().filter(isFolder),
    madeUp: new Set(request.subject.kind === 'tree' ? [rules.configFile] : []),
    texts: new Map(Object.entries(source.record.texts)),
    again: (after) => open(after, rules.source),
  }
}

/** The folder of the rules. */
interface Rules {
  readonly serverRoot: string
  readonly configFile: string
  readonly source: ConfigSource
  readonly folder: string
  /** True if mod_ssl is not loaded. */
  readonly simulatesTls?: boolean
  /** The .htaccess files as read once, so that all questions refer to the same version. */
  readonly assumed?: AssumedFiles
}

type Subject<K> = Extract<CheckRequest['subject'], { kind: K }>

function treeFiles(subject: Subject<'tree'>): Rules | Problem {
  const folder = absolutePath(subject.folder)
  if (!isFolder(folder))
    return { message: `${subject.folder} is not a folder`, hint: 'name a document root, or a configuration with --config' }
  const found = accessTexts(folder)
  const modules = installedModules()
  const needed = found.complete ? neededModules(found.texts.values(), modules) : modules
  const { configFile, text } = treeRules(folder, subject.allowOverride, needed)
  const texts = new Map([[configFile, text + BESIDE]])
  return {
    serverRoot: DEFAULT_ROOT,
    configFile,
    source: new TextSource(texts, new FileSource()),
    folder,
    simulatesTls: !needed.some((file) => file.endsWith('/mod_ssl.mjs')),
    assumed: { folders: new Set(), accessFiles: found.texts },
  }
}

/** The same tree with TLS, for rules that require HTTPS. There is no log, so none needs a folder. */
const BESIDE = 'ErrorLog /dev/null\nListen 443 https\n<VirtualHost *:443>\n  ServerName https://localhost\n</VirtualHost>\n'

function serverFiles({ configFile: written, serverRoot }: Subject<'server'>): Rules {
  const found = configurationAt(written, serverRoot)
  return { ...found, source: new ToolSource(), folder: found.serverRoot }
}

function isFolder(path: string): boolean {
  return statSync(bytePath(path), { throwIfNoEntry: false })?.isDirectory() === true
}
