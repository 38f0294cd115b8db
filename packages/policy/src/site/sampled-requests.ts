import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import type { BoundConfiguration } from '@gatewright/core'
import type { Question } from '../question.ts'
import type { ConfigFiles } from './config-files.ts'
import { regexSamples } from './regex-samples.ts'

/** Maximum number of requests that represent all others. */
export const MAX_REQUESTS = 6_000
/** A name that no file has. */
const PLAIN_NAME = 'gatewright-sample'

/** A folder of the file system, and a URL that leads to it. */
interface ServedFolder {
  readonly path: string
  readonly url: string
}

export interface Samples {
  readonly questions: readonly Question[]
  /** False if there would have been more requests than the maximum. */
  readonly complete: boolean
  /** Folders that are treated as existing. */
  readonly folders: ReadonlySet<string>
  /** Lines that make folders reachable to which no URL of the configuration leads. */
  readonly extraLines: readonly string[]
}

export interface FoldersToSample {
  /** Folders with .htaccess files. */
  readonly accessFolders: readonly string[]
  /** Folders to which the URLs that seem to lead there do not lead: another server answers to them. */
  readonly unreached: ReadonlySet<string>
}

/**
 * Requests that together reach every section, alone and combined with others: each folder to which a section
 * or a .htaccess file applies, with a file of each kind that `<Files>` distinguishes, and each place to which
 * `<Location>` applies, with the same.
 */
export function sampleRequests(
  configuration: BoundConfiguration,
  files: ConfigFiles,
  { accessFolders, unreached }: FoldersToSample,
): Samples {
  const mappings = urlMappings(configuration, files)
  const wanted = [...new Set([...folderPaths(configuration), ...accessFolders])]
  const extraLines: string[] = []
  const served: ServedFolder[] = []
  for (const path of wanted) {
    const urls = mappings.flatMap(({ url, folder }) => urlBelow(path, folder, url))
    served.push(...urls.map((url) => ({ path, url })))
    const isMet = urls.length > 0 || mappings.some(({ folder }) => isBelow(folder, path))
    if (path !== '/' && (!isMet || unreached.has(path))) {
      const url = `/.gatewright-folder-${nameOf(path)}/`
      extraLines.push(`Alias "${url}" "${path}/"`)
      served.push({ path, url })
    }
  }
  const ofServer = fileNames(configuration)
  const byFolder = accessFileNames(files, accessFolders)
  const names = [...new Set([...ofServer, ...[...byFolder.values()].flat()])]
  const targets = new Set<string>()
  for (const { path, url } of served)
    for (const name of [PLAIN_NAME, ...ofServer, ...foldersAbove(path).flatMap((folder) => byFolder.get(folder) ?? [])])
      targets.add(join(url, name))
  for (const url of locationUrls(configuration, served))
    for (const target of [url, ...['', ...names].map((name) => join(url, name || PLAIN_NAME))]) targets.add(target)
  const questions = servers(configuration).flatMap((server) =>
    [...targets].map(
      (target): Question => ({
        method: 'GET',
        target: encodeURI(target),
        client: '192.0.2.1',
        credentials: null,
        headers: [],
        ...server,
      }),
    ),
  )
  return {
    questions: questions.slice(0, MAX_REQUESTS),
    complete: questions.length <= MAX_REQUESTS,
    folders: withAncestors(wanted),
    extraLines,
  }
}

/** The same in every configuration, and nothing that a pattern would be about. */
function nameOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').replace(/\D/g, '').padEnd(12, '0').slice(0, 12)
}

/** How a request chooses each of the servers. */
function servers({ main, virtualHosts, plan }: BoundConfiguration): Pick<Question, 'host' | 'localAddress' | 'localPort'>[] {
  const standardPort = plan.listeners[0]?.port ?? 80
  const hosts = virtualHosts.map(({ serverName, addresses }) => {
    const [first] = addresses
    const address = first === undefined || first.address === '*' ? '127.0.0.1' : first.address
    return {
      host: serverName,
      localAddress: address,
      localPort: first === undefined || first.port === 0 ? standardPort : first.port,
    }
  })
  return [{ host: main.serverName, localAddress: '127.0.0.1', localPort: standardPort }, ...hosts]
}

export function urlMappings(
  { servers }: BoundConfiguration,
  files: ConfigFiles,
): { readonly url: string; readonly folder: string }[] {
  const roots = servers.map(({ documentRoot }) => ({ url: '/', folder: bare(documentRoot) }))
  const aliases = [...files.items()].flatMap(({ item }) => {
    if (item.kind !== 'directive' || !/^(?:script)?alias$/i.test(item.name)) return []
    const [url = '', folder = ''] = item.words
    return url.startsWith('/') && folder.startsWith('/') && !/\$\{/.test(url + folder) ? [{ url, folder: bare(folder) }] : []
  })
  return [...roots, ...aliases]
}

function urlBelow(path: string, folder: string, url: string): string[] {
  if (!isBelow(path, folder)) return []
  const rest = path.slice(folder === '/' ? 0 : folder.length)
  return [`${url.replace(/\/$/, '')}${rest}/`.replace(/\/{2,}/g, '/')]
}

function folderPaths({ sections, servers }: BoundConfiguration): string[] {
  const found = servers.map(({ documentRoot }) => bare(documentRoot))
  for (const section of sections) {
    if (section.kind !== 'Directory' && section.kind !== 'DirectoryMatch') continue
    if (section.match?.pattern !== null)
      found.push(
        ...regexSamples(patternText(section.argument))
          .filter((path) => path.startsWith('/'))
          .map(bare),
      )
    else found.push(bare(concrete(section.match.path)))
  }
  return found
}

function fileNames({ sections }: BoundConfiguration): string[] {
  return sections
    .flatMap((section) => {
      if (section.kind !== 'Files' && section.kind !== 'FilesMatch') return []
      if (section.match?.pattern === null) return [concrete(section.match.path)]
      return regexSamples(patternText(section.argument)).flatMap((name) => [name, `x${name}`])
    })
    .filter((name) => name !== '' && !name.includes('/'))
}

/** `<Files>` sections in .htaccess files, by folder: those are bound only when a request reads them. */
function accessFileNames(files: ConfigFiles, accessFolders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Set(accessFolders)
  const names = new Map<string, string[]>()
  for (const path of files.paths) {
    const folder = dirname(path)
    if (folders.has(folder)) names.set(folder, [...(names.get(folder) ?? []), ...namesIn(files, path)])
  }
  return names
}

function namesIn(files: ConfigFiles, path: string): string[] {
  return [...files.itemsOf(path)]
    .flatMap(({ item }) => {
      if (item.kind !== 'section' || !/^files(?:match)?$/i.test(item.name)) return []
      const isPattern = item.name.toLowerCase() === 'filesmatch' || item.words[0] === '~'
      const text = (item.words[0] === '~' ? item.words[1] : item.words[0]) ?? ''
      return isPattern ? regexSamples(text).flatMap((name) => [name, `x${name}`]) : [concrete(text)]
    })
    .filter((name) => name !== '' && !name.includes('/'))
}

function locationUrls({ sections }: BoundConfiguration, served: readonly ServedFolder[]): string[] {
  return sections
    .flatMap((section) => {
      if (section.kind !== 'Location' && section.kind !== 'LocationMatch') return []
      if (section.match?.pattern === null) return [concrete(section.match.path)]
      return regexSamples(patternText(section.argument)).flatMap((sample) =>
        sample.startsWith('/') ? [sample] : [`/${sample}`, ...served.map(({ url }) => `${url}x${sample}`)],
      )
    })
    .filter((url) => url.startsWith('/'))
}

/** `~ "pattern"` is the old form of `...Match "pattern"`. */
function patternText(argument: string): string {
  return argument.replace(/^~\s*/, '').replace(/^"(.*)"$/, '$1')
}

/** A path that wildcards match. */
function concrete(path: string): string {
  return path.replace(/\[[^\]]*\]/g, 'x').replace(/[*?]/g, 'x')
}

function withAncestors(paths: readonly string[]): Set<string> {
  return new Set(paths.flatMap(foldersAbove))
}

/** A folder and its ancestors. */
function foldersAbove(path: string): string[] {
  const all = ['/']
  for (let at = path; at !== '' && at !== '/'; at = at.slice(0, at.lastIndexOf('/'))) all.push(at)
  return all
}

function bare(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

function join(url: string, name: string): string {
  return url.endsWith('/') ? url + name : `${url}/${name}`
}
