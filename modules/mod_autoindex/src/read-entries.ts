import { type Dir, type Dirent, statSync } from 'node:fs'
import type { HostServices, MaybePromise, Request, ShellPattern } from '@gatewright/api'
import type { ListingChoice } from './client-query.ts'
import type { AutoindexConfig, IgnoreRule } from './config.ts'
import { describe } from './description.ts'
import type { Entry } from './entry.ts'
import { FOLDER_NAME, type RuleTarget, valueForFile, valueForName, valueForPath } from './file-rules.ts'
import { readTitle } from './html-title.ts'
import { isHtml, mediaType } from './html-type.ts'
import { FANCY, FOLDERS_FIRST, SCAN_HTML_TITLES, SHOW_FORBIDDEN, TABLE } from './index-options.ts'
import { matchesWildcard } from './wildcard.ts'

/** Entries looked up before other requests get a turn: a folder may have thousands. */
const ENTRIES_PER_TURN = 64

/**
 * What the client may see of a folder, which is closed then: each entry is asked for as the client would ask, and left out when that is refused.
 * @throws the system's error when the folder cannot be read
 */
export async function readEntries(
  request: Request,
  folder: Dir,
  config: Readonly<AutoindexConfig>,
  choice: ListingChoice,
  services: HostServices,
): Promise<Entry[]> {
  const entries: Entry[] = []
  const parent = parentEntry(request, config, choice.options)
  if (parent !== null) entries.push(parent)
  const pattern = namePattern(choice, services)
  let lookedUp = 0
  for await (const found of folder) {
    const { name } = found
    const path = `${request.filename}${name}`
    if (pattern?.matches(name) === false || isIgnored(config.ignored, path)) continue
    const kind = kindOf(found, path)
    if (kind === 'missing') continue
    const sub: MaybePromise<Request> = request.lookupEntry(name)
    const entry = entryOf(sub instanceof Promise ? await sub : sub, name, kind, config, choice.options)
    if (entry !== null) entries.push(entry)
    if (++lookedUp % ENTRIES_PER_TURN === 0) await nextTurn()
  }
  return entries
}

/** What is listed: of a link what it leads to. The lookup of a folder may end at its index file, and so does not tell. */
function kindOf(found: Dirent, path: string): 'folder' | 'file' | 'missing' {
  if (!found.isSymbolicLink()) return found.isDirectory() ? 'folder' : 'file'
  try {
    return statSync(Buffer.from(path, 'latin1')).isDirectory() ? 'folder' : 'file'
  } catch {
    return 'missing'
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function namePattern(choice: ListingChoice, services: HostServices): ShellPattern | null {
  if (choice.namePattern === null) return null
  return services.shellPattern(choice.namePattern, { leadingDot: 'literal', backslash: 'ordinary' })
}

function isIgnored(rules: readonly IgnoreRule[], path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return rules.some(({ scope, pattern }) => matchesWildcard(name, pattern) && matchesWildcard(path, scope))
}

/** The folder above, which rules know as `..`. The root of a site has none. */
function parentEntry(request: Request, config: Readonly<AutoindexConfig>, options: number): Entry | null {
  const uri = parentUri(request.uri)
  const path = `${request.filename}..`
  if (uri === null || isIgnored(config.ignored, path)) return null
  const decorated = (options & FANCY) !== 0
  return {
    name: uri,
    isParent: true,
    comesFirst: false,
    size: -1,
    modifiedMs: -1,
    icon: decorated ? (valueForPath(config.icons, path) ?? valueForName(config.icons, FOLDER_NAME)) : null,
    alt: decorated ? (valueForPath(config.alts, path) ?? valueForName(config.alts, FOLDER_NAME) ?? 'PARENTDIR') : null,
    description: decorated ? describe(config.descriptions, path) : null,
  }
}

/** The URL path above a folder's, whether that ends in a slash or not. */
function parentUri(uri: string): string | null {
  const folder = uri.endsWith('/') ? uri.slice(0, -1) : uri
  const slash = folder.lastIndexOf('/')
  return slash < 0 ? null : folder.slice(0, slash + 1)
}

/** The line for what a lookup found; null when it is hidden. */
function entryOf(
  sub: Request,
  name: string,
  kind: 'folder' | 'file',
  config: Readonly<AutoindexConfig>,
  options: number,
): Entry | null {
  const { fileInfo } = sub
  if (fileInfo === null || fileInfo.kind === 'other' || !isShown(sub.status, options)) return null
  const isFolder = kind === 'folder'
  const shownName = isFolder ? `${name}/` : name
  if ((options & (FANCY | TABLE)) === 0) {
    return {
      name: shownName,
      isParent: false,
      comesFirst: false,
      size: -1,
      modifiedMs: -1,
      icon: null,
      alt: null,
      description: null,
    }
  }
  const slash = sub.filename.lastIndexOf('/')
  const target: RuleTarget = {
    path: isFolder ? sub.filename.slice(0, slash) : sub.filename,
    type: mediaType(sub.contentType),
    encoding: sub.contentEncoding,
  }
  const common = {
    name: shownName,
    isParent: false,
    comesFirst: isFolder && (options & FOLDERS_FIRST) !== 0,
    modifiedMs: fileInfo.mtimeMs,
    description: describe(config.descriptions, target.path) ?? scannedTitle(sub, options),
  }
  if (isFolder) {
    const icon = valueForPath(config.icons, target.path) ?? valueForName(config.icons, FOLDER_NAME)
    const alt = valueForPath(config.alts, target.path) ?? valueForName(config.alts, FOLDER_NAME) ?? 'DIR'
    return { ...common, size: -1, icon, alt }
  }
  return { ...common, size: fileInfo.size, icon: valueForFile(config.icons, target), alt: valueForFile(config.alts, target) }
}

function isShown(status: number, options: number): boolean {
  if (status >= 200 && status <= 399) return true
  return (options & SHOW_FORBIDDEN) !== 0 && (status === 401 || status === 403)
}

function scannedTitle(sub: Request, options: number): string | null {
  if ((options & SCAN_HTML_TITLES) === 0 || sub.status !== 200 || sub.contentEncoding !== null) return null
  return isHtml(sub.contentType) ? readTitle(sub.filename) : null
}
