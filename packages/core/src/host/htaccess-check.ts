import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorMessage } from '../base/error-text.ts'
import { fsPath } from '../base/file-info.ts'
import type { BindError } from '../config/bind-context.ts'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import { type CoreDirectoryConfig, NO_GRANT, readsHtaccess } from '../model/directory-config.ts'
import { accessFileNamesOf } from '../model/server-config.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { ServerRecord } from '../model/server-record.ts'
import { DirectoryTree } from '../sections/directory-tree.ts'
import { htaccessMistakes } from '../sections/htaccess-mistakes.ts'
import { isBelow, serversOf, stateAt } from './folder-settings.ts'

/** A .htaccess file with its errors. */
export interface CheckedHtaccess {
  readonly path: string
  /** False if no server reads it, because AllowOverride is None there. */
  readonly isRead: boolean
  readonly mistakes: readonly BindError[]
  /** Lines of modules that are not loaded, which `AllowOverride Nonfatal=Unknown` ignores. */
  readonly passedOver: readonly BindError[]
}

/** The progress of a check: a folder was read, which may contain a file. */
export interface HtaccessProgress {
  readonly folder: string
  readonly file: CheckedHtaccess | null
}

/**
 * Folders whose .htaccess files requests can use: document roots, and the folders of `<Directory>` sections,
 * unless AllowOverride disables the files there. The root of the file system is excluded, because its section
 * sets general defaults.
 */
export function servedFolders(configuration: ServerConfiguration): string[] {
  const folders = new Set<string>()
  for (const server of configuration.servers) {
    folders.add(server.documentRoot)
    const tree = new DirectoryTree(server)
    for (const section of server.core.directorySections) {
      const { match } = section
      const { override, overrideList } = section.core ?? NOTHING_SET
      if (match === null || match.pattern !== null || match.path === '/') continue
      if (!readsHtaccess({ override, overrideList })) continue
      const says = override !== undefined || overrideList !== undefined
      for (const folder of match.wildcard === null ? [match.path] : globSync(match.path)) {
        // For a section without AllowOverride, the sections of the parent folders apply.
        if (says || stateAt(tree, folder).sofar.core.override === undefined) folders.add(folder)
      }
    }
  }
  const sorted = [...folders].sort()
  return sorted.filter((folder) => !sorted.some((above) => above !== folder && isBelow(folder, above)))
}

/** A section without directives of core. */
const NOTHING_SET: Pick<CoreDirectoryConfig, 'override' | 'overrideList'> = {}

/** The names of .htaccess files, from AccessFileName of the main server and of virtual hosts. */
export function accessFileNames({ servers }: ServerConfiguration): ReadonlySet<string> {
  return new Set(servers.flatMap(({ core }) => accessFileNamesOf(core)))
}

/**
 * Checks the .htaccess files in a folder and below it, each with the directives that AllowOverride grants
 * there. Links to folders are not followed.
 */
export function* checkHtaccess(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  folder: string,
): Generator<HtaccessProgress, void, void> {
  const trees = new Map(configuration.servers.map((server) => [server, new DirectoryTree(server)]))
  const waiting = [folder]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const path = at
    const entries = namesIn(path)
    const servers = serversOf(configuration, path)
    const names = new Set(servers.flatMap(({ core }) => accessFileNamesOf(core)))
    const found = entries.find(({ name, isFolder }) => !isFolder && names.has(name))
    const file = found === undefined ? null : checkFile(configuration, services, { ...fileIn(path, found.name), servers, trees })
    yield { folder: path, file }
    const below = entries.filter(({ isFolder }) => isFolder).map(({ name }) => join(path, name))
    waiting.push(...below.sort().reverse())
  }
}

function fileIn(folder: string, name: string): Pick<Parameters<typeof checkFile>[2], 'path' | 'folder' | 'content'> {
  const path = join(folder, name)
  return { path, folder, content: () => contentOf(path) }
}

/**
 * Checks texts as .htaccess files, each with the directives that AllowOverride grants in its folder. @param
 * texts by path, one character for each byte
 */
export function* checkHtaccessTexts(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  texts: Iterable<readonly [path: string, text: string]>,
): Generator<CheckedHtaccess, void, void> {
  const trees = new Map(configuration.servers.map((server) => [server, new DirectoryTree(server)]))
  for (const [path, text] of texts) {
    const folder = dirname(path)
    yield checkFile(configuration, services, {
      path,
      folder,
      servers: serversOf(configuration, folder),
      trees,
      content: () => text,
    })
  }
}

function checkFile(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  place: {
    readonly path: string
    readonly folder: string
    readonly servers: readonly ServerRecord[]
    readonly trees: ReadonlyMap<ServerRecord, DirectoryTree>
    readonly content: () => string | BindError
  },
): CheckedHtaccess {
  const { path } = place
  const mistakes = new Map<string, BindError>()
  const passedOver = new Map<string, BindError>()
  let isRead = false
  for (const server of place.servers) {
    const tree = place.trees.get(server)
    if (tree === undefined) continue
    const { core } = stateAt(tree, place.folder).sofar
    if (!readsHtaccess(core)) continue
    const { override: grant = NO_GRANT, overrideList } = core
    isRead = true
    const text = place.content()
    const found = (nonfatalUnknown: boolean): readonly BindError[] =>
      typeof text === 'string'
        ? htaccessMistakes(
            configuration,
            services,
            { path, server, grant: { ...grant, nonfatalUnknown }, list: overrideList ?? null },
            text,
          )
        : [text]
    const strict = found(false)
    // A file without errors under the strictest override has none under the others.
    const granted = grant.nonfatalUnknown && strict.length > 0 ? found(true) : strict
    for (const mistake of granted) mistakes.set(keyOf(mistake), mistake)
    for (const mistake of strict) if (!mistakes.has(keyOf(mistake))) passedOver.set(keyOf(mistake), mistake)
  }
  return { path, isRead, mistakes: byLine(mistakes), passedOver: byLine(passedOver) }
}

function keyOf({ file, line, message }: BindError): string {
  return `${file}:${line}:${message}`
}

function byLine(mistakes: ReadonlyMap<string, BindError>): BindError[] {
  return [...mistakes.values()].sort((a, b) => a.line - b.line)
}

function contentOf(path: string): string | BindError {
  try {
    // Reading a pipe would block until another process writes to it.
    if (!statSync(fsPath(path)).isFile()) return { message: 'not a regular file', file: path, line: 0 }
    return readFileSync(fsPath(path), 'latin1')
  } catch (error) {
    return { message: `cannot be read: ${errorMessage(error)}`, file: path, line: 0 }
  }
}

function namesIn(folder: string): { readonly name: string; readonly isFolder: boolean }[] {
  try {
    const entries = readdirSync(fsPath(folder), { encoding: 'latin1', withFileTypes: true })
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
  } catch {
    // The server's user may have other permissions than this user, so the result is unknown.
    return []
  }
}

function join(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}
