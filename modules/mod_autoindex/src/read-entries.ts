import { type Dir, type Dirent, statSync } from 'node:fs'
import { type HostServices, inTurns, type MaybePromise, type Request, type ShellPattern } from '@gatewright/api'
import type { ListingChoice } from './client-query.ts'
import type { AutoindexConfig, IgnoreRule } from './config.ts'
import { describe } from './description.ts'
import type { Entry } from './entry.ts'
import { FOLDER_NAME, type RuleTarget, valueForFile, valueForName, valueForPath } from './file-rules.ts'
import { readTitle } from './html-title.ts'
import { isHtml, mediaType } from './html-type.ts'
import { FANCY, FOLDERS_FIRST, SCAN_HTML_TITLES, SHOW_FORBIDDEN, TABLE } from './index-options.ts'
import { matchesWildcard, stepsOfMatch } from './wildcard.ts'

/** Costs of a lookup of an entry and of reading a title, in microseconds. */
const STEPS_OF_A_LOOKUP = 32
const STEPS_OF_A_TITLE = 64

/**
 * Lists the entries of a folder that the client may see, and closes the folder. Each entry is looked up as if
 * the client had requested it, and omitted if access is denied.
 * @throws the system's error if the folder cannot be read
 */
export async function readEntries(
  request: Request,
  folder: Dir,
  config: Readonly<AutoindexConfig>,
  choice: ListingChoice,
  services: HostServices,
): Promise<Entry[]> {
  const { work } = request
  const entries: Entry[] = []
  const parent = await inTurns(work, parentEntry(request, config, choice.options))
  if (parent !== null) entries.push(parent)
  const pattern = namePattern(choice, services)
  for await (const listed of folder) {
    const { name } = listed
    const path = `${request.filename}${name}`
    if (work.spend(STEPS_OF_A_LOOKUP)) await work.pause()
    if (pattern?.matches(name) === false) continue
    const ignored = inTurns(work, isIgnored(config.ignored, path))
    if (ignored instanceof Promise ? await ignored : ignored) continue
    const kind = kindOf(listed, path)
    if (kind === 'missing') continue
    const sub: MaybePromise<Request> = request.lookupEntry(name)
    const found = sub instanceof Promise ? await sub : sub
    const made = inTurns(work, entryOf(found, name, kind, config, choice.options))
    const entry = made instanceof Promise ? await made : made
    if (entry !== null) entries.push(entry)
  }
  return entries
}

/**
 * The kind of an entry; for a link, that of its target. The lookup of a folder may end at its index file, so
 * its result does not show the kind.
 */
function kindOf(found: Dirent, path: string): 'folder' | 'file' | 'missing' {
  if (!found.isSymbolicLink()) return found.isDirectory() ? 'folder' : 'file'
  try {
    return statSync(Buffer.from(path, 'latin1')).isDirectory() ? 'folder' : 'file'
  } catch {
    return 'missing'
  }
}

function namePattern(choice: ListingChoice, services: HostServices): ShellPattern | null {
  if (choice.namePattern === null) return null
  return services.shellPattern(choice.namePattern, { leadingDot: 'literal', backslash: 'ordinary' })
}

function* isIgnored(rules: readonly IgnoreRule[], path: string): Generator<number, boolean> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (const { scope, pattern } of rules) {
    yield stepsOfMatch(name, pattern) + stepsOfMatch(path, scope)
    if (matchesWildcard(name, pattern) && matchesWildcard(path, scope)) return true
  }
  return false
}

/** The parent folder, which rules match as `..`; null for the root of a site. */
function* parentEntry(request: Request, config: Readonly<AutoindexConfig>, options: number): Generator<number, Entry | null> {
  const uri = parentUri(request.uri)
  const path = `${request.filename}..`
  if (uri === null || (yield* isIgnored(config.ignored, path))) return null
  const decorated = (options & FANCY) !== 0
  return {
    name: uri,
    isParent: true,
    comesFirst: false,
    size: -1,
    modifiedMs: -1,
    icon: decorated ? ((yield* valueForPath(config.icons, path)) ?? valueForName(config.icons, FOLDER_NAME)) : null,
    alt: decorated ? ((yield* valueForPath(config.alts, path)) ?? valueForName(config.alts, FOLDER_NAME) ?? 'PARENTDIR') : null,
    description: decorated ? yield* describe(config.descriptions, path) : null,
  }
}

/** The URL path of the parent of a folder, whose own path may or may not end in a slash. */
function parentUri(uri: string): string | null {
  const folder = uri.endsWith('/') ? uri.slice(0, -1) : uri
  const slash = folder.lastIndexOf('/')
  return slash < 0 ? null : folder.slice(0, slash + 1)
}

/** The entry for the result of a lookup; null if it is hidden. */
function* entryOf(
  sub: Request,
  name: string,
  kind: 'folder' | 'file',
  config: Readonly<AutoindexConfig>,
  options: number,
): Generator<number, Entry | null> {
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
    description: (yield* describe(config.descriptions, target.path)) ?? (yield* scannedTitle(sub, options)),
  }
  if (isFolder) {
    const icon = (yield* valueForPath(config.icons, target.path)) ?? valueForName(config.icons, FOLDER_NAME)
    const alt = (yield* valueForPath(config.alts, target.path)) ?? valueForName(config.alts, FOLDER_NAME) ?? 'DIR'
    return { ...common, size: -1, icon, alt }
  }
  const icon = yield* valueForFile(config.icons, target)
  return { ...common, size: fileInfo.size, icon, alt: yield* valueForFile(config.alts, target) }
}

function isShown(status: number, options: number): boolean {
  if (status >= 200 && status <= 399) return true
  return (options & SHOW_FORBIDDEN) !== 0 && (status === 401 || status === 403)
}

function* scannedTitle(sub: Request, options: number): Generator<number, string | null> {
  if ((options & SCAN_HTML_TITLES) === 0 || sub.status !== 200 || sub.contentEncoding !== null) return null
  if (!isHtml(sub.contentType)) return null
  yield STEPS_OF_A_TITLE
  return readTitle(sub.filename)
}
