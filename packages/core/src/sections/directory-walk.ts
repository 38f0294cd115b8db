import type { FileInfo, MaybePromise } from '@gatewright/api'
import { HTTP_FORBIDDEN, HTTP_INTERNAL_SERVER_ERROR, httpStatus, OK, type Outcome } from '@gatewright/api'
import { systemError } from '@gatewright/log'
import type { StatCache, StatResult } from '../base/file-info.ts'
import { effectiveOptions, OPT_FOLLOW_SYM_LINKS, OPT_SYM_LINKS_IF_OWNER, readsHtaccess } from '../model/directory-config.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { Section } from '../model/section.ts'
import { accessFileNamesOf } from '../model/server-config.ts'
import { WalkState } from '../model/walk-state.ts'
import type { CoreLog } from '../services/error-log.ts'
import { canonicalPath, trimSlash } from './canonical-path.ts'
import type { DirectoryTree, Folder } from './directory-tree.ts'
import type { HtaccessCache } from './htaccess.ts'
import type { HtaccessContent } from './htaccess-parse.ts'
import { exportGroups } from './location-walk.ts'

/** What the walk needs from the configuration. */
export interface WalkContext {
  readonly stats: StatCache
  readonly htaccess: HtaccessCache
  readonly log: CoreLog
  /**
   * Set if a condition in the server's own files makes sub-requests, which reveal how often it is evaluated.
   */
  readonly conditionsLookUp: boolean
  tree(request: RequestRecord): DirectoryTree
}

/**
 * Reports a .htaccess file that takes long to read: after it has been read, the walk can restart and find it.
 */
type Waiting = Promise<unknown>

/**
 * Maps the file name to the file system: determines how much of it exists, splits off path info, and merges
 * the `<Directory>` sections and .htaccess files of every folder, shortest path first, then the sections that
 * are patterns.
 */
export function directoryWalk(request: RequestRecord, context: WalkContext): Outcome | Waiting {
  const { pathInfo } = request
  const outcome = walk(request, context)
  // The lookup of an entry inherits the path info of its request, which is appended to what the walk finds.
  if (pathInfo !== '' && !(outcome instanceof Promise)) request.pathInfo = joined(request.pathInfo, pathInfo)
  return outcome
}

function joined(found: string, before: string): string {
  return found === '' || found.endsWith('/') ? `${found}${before}` : `${found}/${before}`
}

function walk(request: RequestRecord, context: WalkContext): Outcome | Waiting {
  if (!request.filename.startsWith('/')) {
    request.config = request.server.walkBase
    return OK
  }
  // Sections are compared with names, so one folder must not have two names, whatever set the file name.
  const filename = canonicalPath(request.filename)
  request.filename = filename
  const tree = context.tree(request)
  request.canonicalFilename = filename
  const whole = trimSlash(filename)
  const found = context.stats.stat(whole)
  if (typeof found === 'object') {
    // Everything above an existing entry is a folder.
    if (found.kind === 'directory') return finishInFolder(request, context, tree, whole, found, filename)
    if (whole === filename) return finishAtFile(request, context, tree, whole, found, '')
  } else {
    // As a rule only the last component does not exist: a name in a folder of this site.
    const parent = whole.slice(0, whole.lastIndexOf('/')) || '/'
    const folder = context.stats.stat(parent)
    if (typeof folder === 'object' && folder.kind === 'directory') {
      return finishAtGap(request, context, tree, parent, whole, filename, found)
    }
  }
  return walkToFirstGap(request, context, tree, whole, filename)
}

/** The name refers to a folder, with or without a trailing slash. */
function finishInFolder(
  request: RequestRecord,
  context: WalkContext,
  tree: DirectoryTree,
  path: string,
  info: FileInfo,
  filename: string,
): Outcome | Waiting {
  const state = folderState(request, context, tree, tree.folder(path))
  if (!(state instanceof WalkState)) return state
  request.fileInfo = info
  request.pathInfo = ''
  // A URL without a trailing slash refers to the folder itself, one with it to the folder's content.
  const content = filename.endsWith('/')
  request.filename = content ? `${path === '/' ? '' : path}/` : path
  const before = content ? walkedBefore(request, path) : null
  request.config = before ?? withPatterns(request, tree, state)
  remember(request, content ? path : '', before)
  return OK
}

/** The name refers to a file; `pathInfo` is the text after it. */
function finishAtFile(
  request: RequestRecord,
  context: WalkContext,
  tree: DirectoryTree,
  path: string,
  info: FileInfo,
  pathInfo: string,
): Outcome | Waiting {
  const folder = tree.folder(path.slice(0, path.lastIndexOf('/')) || '/')
  const state = folderState(request, context, tree, folder)
  if (!(state instanceof WalkState)) return state
  // With path info, httpd finds the file only while it walks.
  const before = pathInfo === '' ? walkedBefore(request, folder.path) : null
  // httpd logs a different line for a file in a folder that it has already walked.
  const denied = checkLink(request, context, state, path, before === null ? 'AH00037' : 'AH00032')
  request.filename = path
  request.pathInfo = pathInfo
  if (denied !== OK) return denied
  request.fileInfo = info
  if (info.kind === 'other') {
    context.log.write(request, 'error', 'AH00038', `Forbidden: ${path} doesn't point to a file or directory`)
    return HTTP_FORBIDDEN
  }
  // If links are followed, httpd does not look at the last component and treats the file as another folder.
  const named = pathInfo === '' && followsAllLinks(state)
  request.config = before ?? withPatterns(request, tree, named ? state.withAll(tree.sectionsAt(path)) : state)
  remember(request, folder.path, before)
  return OK
}

/** Looks for the first component that does not exist, or that is a file with more text after it. */
function walkToFirstGap(
  request: RequestRecord,
  context: WalkContext,
  tree: DirectoryTree,
  whole: string,
  filename: string,
): Outcome | Waiting {
  let at = 1
  let parent = '/'
  for (;;) {
    const slash = whole.indexOf('/', at)
    const end = slash < 0 ? whole.length : slash
    const path = whole.slice(0, end)
    const info = context.stats.stat(path)
    if (typeof info !== 'object') return finishAtGap(request, context, tree, parent, path, filename, info)
    if (info.kind !== 'directory') return finishAtFile(request, context, tree, path, info, filename.slice(end))
    if (slash < 0) return finishInFolder(request, context, tree, path, info, filename)
    parent = path
    at = end + 1
  }
}

/**
 * `path` does not exist: the sections of the folders above it apply, and the name is cut after the first
 * missing component.
 */
function finishAtGap(
  request: RequestRecord,
  context: WalkContext,
  tree: DirectoryTree,
  parent: string,
  path: string,
  filename: string,
  failure: Exclude<StatResult, FileInfo>,
): Outcome | Waiting {
  const state = folderState(request, context, tree, tree.folder(parent))
  if (!(state instanceof WalkState)) return state
  request.fileInfo = null
  request.filename = path
  request.pathInfo = filename.slice(path.length)
  // A dangling link, or a link to a target that the server cannot access, is rejected like a link that may
  // not be followed. No section applies to what is rejected here.
  if (context.stats.isLink(path)) return linkRefused(request, context, path)
  if (failure === 'missing' || failure === 'not-a-directory') {
    // A plain section for a path that does not exist does not apply.
    request.config = withPatterns(request, tree, state)
    remember(request, parent, null)
    return OK
  }
  if (failure === 'forbidden') {
    const text = `access to ${request.uri} denied (filesystem path '${path}') because search permissions are missing on a component of the path`
    context.log.write(request, 'error', 'AH00035', text, PERMISSION_DENIED)
  } else if (path.slice(path.lastIndexOf('/') + 1).length > 255 || path.length > 4095) {
    context.log.write(request, 'error', 'AH00036', `access to ${request.uri} failed (filesystem path '${path}')`, systemError(36))
  } else if (context.stats.isLink(path)) return linkRefused(request, context, path)
  else context.log.write(request, 'error', 'AH00036', `access to ${request.uri} failed (filesystem path '${path}')`)
  return HTTP_FORBIDDEN
}

/**
 * The state of the walk after a folder, cached for one turn like all file system lookups of the walk. A
 * denial is found, and logged, each time.
 */
function folderState(
  request: RequestRecord,
  context: WalkContext,
  tree: DirectoryTree,
  folder: Folder,
): WalkState | Outcome | Waiting {
  if (folder.walked !== null && folder.walkedInTurn === context.stats.turn) return folder.walked
  const state = walkFolder(request, context, tree, folder)
  if (!(state instanceof WalkState)) return state
  folder.walked = state
  folder.walkedInTurn = context.stats.turn
  return state
}

/** Merges the sections of its parents first, then its own, then its .htaccess file. */
function walkFolder(
  request: RequestRecord,
  context: WalkContext,
  tree: DirectoryTree,
  folder: Folder,
): WalkState | Outcome | Waiting {
  const above = folder.parent === null ? tree.start : folderState(request, context, tree, folder.parent)
  if (!(above instanceof WalkState)) return above
  if (folder.parent !== null) {
    const denied = checkLink(request, context, above, folder.path)
    if (denied !== OK) {
      stopAt(request, folder.path, '')
      return denied
    }
  }
  const state = above.withAll(folder.sections)
  return readsHtaccess(state.sofar.core) ? withHtaccess(request, context, folder, state) : state
}

function withHtaccess(
  request: RequestRecord,
  context: WalkContext,
  folder: Folder,
  state: WalkState,
): WalkState | Outcome | Waiting {
  const names = accessFileNamesOf(request.server.core)
  const prefix = folder.path === '/' ? '' : folder.path
  for (let index = 0; index < names.length; index++) {
    const path = `${prefix}/${names[index]}`
    const info = context.stats.stat(path)
    if (info === 'missing' || info === 'not-a-directory') continue
    if (typeof info === 'string')
      return unreadable(request, context, folder, path, info === 'loop' ? LINK_LOOP : PERMISSION_DENIED)
    if (info.kind !== 'file') {
      // Something other than a regular file may have been meant as rules, so access is denied.
      // httpd logs no request in messages about opening configuration files.
      context.log.write(null, 'error', 'AH00554', `Access to file ${path} denied by server: not a regular file`)
      return unreadable(request, context, folder, path, BAD_DESCRIPTOR)
    }
    let content: MaybePromise<HtaccessContent>
    try {
      const { override, overrideList } = state.sofar.core
      content = context.htaccess.content(path, info, request.server, override, overrideList, request.work.isInOneGo)
    } catch {
      return unreadable(request, context, folder, path, PERMISSION_DENIED)
    }
    if (content instanceof Promise) return content
    // A file without a directive is still a section: a redirect into its folder is authorized again.
    if (content instanceof Section) return state.with(content)
    context.log.write(request, 'alert', '', `${path}: ${content.error}`)
    stopAt(request, folder.path, '/')
    return HTTP_INTERNAL_SERVER_ERROR
  }
  return state
}

/**
 * The walk ends in the middle of the name: the rest remains as path info, which logs and error pages show.
 */
function stopAt(request: RequestRecord, path: string, slash: '' | '/'): void {
  const { filename } = request
  request.filename = path === '/' ? path : `${path}${slash}`
  request.pathInfo = filename.slice(path.length)
}

const PERMISSION_DENIED = systemError(13)
const LINK_LOOP = systemError(40)
const BAD_DESCRIPTOR = systemError(9)

function unreadable(
  request: RequestRecord,
  context: WalkContext,
  folder: Folder,
  path: string,
  cause: typeof PERMISSION_DENIED,
): Outcome {
  const folderName = folder.path === '/' ? '/' : `${folder.path}/`
  const text = `${path} pcfg_openfile: unable to check htaccess file, ensure it is readable and that '${folderName}' is executable`
  context.log.write(request, 'crit', 'AH00529', text, cause)
  stopAt(request, folder.path, '/')
  request.notes.set('error-notes', 'Server unable to read htaccess file, denying access to be safe')
  return HTTP_FORBIDDEN
}

function followsAllLinks(state: WalkState): boolean {
  return (effectiveOptions(state.sofar.core) & (OPT_FOLLOW_SYM_LINKS | OPT_SYM_LINKS_IF_OWNER)) === OPT_FOLLOW_SYM_LINKS
}

/** Without FollowSymLinks every component is checked. */
function checkLink(request: RequestRecord, context: WalkContext, state: WalkState, path: string, code = 'AH00037'): Outcome {
  if (followsAllLinks(state) || !context.stats.isLink(path)) return OK
  const options = effectiveOptions(state.sofar.core)
  // If both Options are set, the owners are compared.
  if ((options & OPT_SYM_LINKS_IF_OWNER) !== 0) {
    const target = context.stats.stat(path)
    if (typeof target === 'object' && target.uid === context.stats.linkOwner(path)) return OK
  }
  return linkRefused(request, context, path, code)
}

function linkRefused(request: RequestRecord, context: WalkContext, path: string, code = 'AH00037'): Outcome {
  context.log.write(request, 'error', code, `Symbolic link not allowed or link target not accessible: ${path}`)
  return httpStatus(403)
}

/**
 * The result of the previous request's walk in the same folder, if this request is its redirect or
 * sub-request. httpd reuses it unchanged, so patterns that match the name there, `<DirectoryMatch
 * "/docs/$">`, also apply here, for the index file.
 */
function walkedBefore(request: RequestRecord, folder: string): RequestRecord['config'] | null {
  const { prev, main } = request
  const before = prev !== null && prev.walkedFolder !== null ? prev : main
  return before !== null && before.walkedFolder === folder && before.server === request.server ? before.walkedConfig : null
}

/** @param before the reused result; null if the folders were walked */
function remember(request: RequestRecord, folder: string, before: RequestRecord['config'] | null): void {
  request.walkedFolder = folder
  request.walkedConfig = request.config
  request.walkedBefore = before !== null
}

/** Matches `<DirectoryMatch>` sections against the whole name and completes the walk. */
function withPatterns(request: RequestRecord, tree: DirectoryTree, before: WalkState): RequestRecord['config'] {
  const { patterns } = tree
  let state = before
  for (let index = 0; index < patterns.length; index++) {
    const { match } = patterns[index]
    if (match !== null && exportGroups(match, request.filename, request)) state = state.with(patterns[index])
  }
  return state.config
}
