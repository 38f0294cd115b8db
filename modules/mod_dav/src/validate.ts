import { OK } from '@gatewright/api'
import { DavError, type DavLock, type DavResponse, type IfCondition, type IfList, parseIf } from '@gatewright/dav'
import type { DavContext } from './context.ts'
import { etagOf, hrefOf, parentOf, type Resource, withoutSlash } from './resource.ts'

/** What is checked before a method changes something. */
export interface Validation {
  /** Whether everything in a folder is checked, too. */
  readonly deep: boolean
  /** Whether the folder around the resource is changed. */
  readonly parent: boolean
  /** The new lock that is to be made; null for other methods, `reads` for those that change nothing here. */
  readonly locking: 'exclusive' | 'shared' | 'reads' | null
  /** Whether a failure of another resource is answered with 424 in the place of 207. */
  readonly use424: boolean
  /** `if missing`: the conditions of HTTP are about another resource of the request, unless this one does not exist. */
  readonly conditions?: 'if missing'
}

const ELSEWHERE = 'An error occurred on another resource, preventing the requested operation on this resource.'

/** The locks of a path: its own, and the deep ones of the folders around it, which what does not exist does not have. */
export function locksOf(locks: readonly DavLock[], path: string, exists = true): DavLock[] {
  return locks.filter((lock) => lock.path === path || (exists && lock.deep && isBelow(path, lock.path)))
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? '/' : `${folder}/`) && path !== folder
}

/**
 * Checks the conditions of a request, and the locks of what it changes.
 * @throws DavError
 */
export function validate(context: DavContext, resource: Resource, validation: Validation): void {
  const { deep, parent, locking, use424 } = validation
  if (validation.conditions === undefined || resource.entry === null) checkPreconditions(context, resource)
  const field = context.request.headersIn.get('If')
  const lists = field === undefined ? [] : parseIf(field)
  const locks = context.locks?.list() ?? []
  const check = (path: string, uri: string, scope: Validation['locking']): DavError | null =>
    checkState({ context, locks, lists, hasIf: field !== undefined, path, uri, locking: scope })
  const failed = check(resource.path, resource.uri, locking)
  if (failed !== null) throw failed
  const responses: DavResponse[] = []
  if (deep && resource.entry?.kind === 'folder') {
    const below = new Set(locks.filter(({ path }) => isBelow(path, resource.path)).map(({ path }) => path))
    for (const path of below) {
      const uri = `${withoutSlash(resource.uri)}${path.slice(resource.path.length)}`
      const error = check(path, uri, locking)
      if (error !== null) responses.push({ href: hrefOf(uri), propstat: '', status: error.status, description: '' })
    }
  }
  if (parent) {
    const above = parentOf(resource)
    const error = check(above.path, above.uri, null)
    if (error !== null) {
      const description =
        'A validation error has occurred on the parent resource, preventing the operation on the resource specified by the ' +
        `Request-URI. The error was: ${error.message}`
      responses.push({ href: hrefOf(above.uri), propstat: '', status: error.status, description })
    }
  }
  if (responses.length === 0) return
  if (use424) throw new DavError(424, ELSEWHERE, { responses })
  const href = hrefOf(withoutSlash(resource.uri))
  const own: DavResponse =
    locking === null || locking === 'reads'
      ? { href, propstat: '', status: 424, description: ELSEWHERE }
      : {
          href,
          propstat:
            '<D:propstat><D:prop><D:lockdiscovery/></D:prop><D:status>HTTP/1.1 424 Failed Dependency</D:status></D:propstat>',
          status: 0,
          description: ELSEWHERE,
        }
  throw new DavError(207, 'Error(s) occurred on resources during the validation process.', { responses: [...responses, own] })
}

/** If-Match and the other conditions of HTTP. @throws DavError */
export function checkPreconditions({ request }: DavContext, { entry }: Resource): void {
  if (entry === null) {
    const match = request.headersIn.get('If-Match')
    if (match === undefined || (match[0] !== '*' && request.headersIn.get('If-None-Match')?.startsWith('*') === true)) return
    throw new DavError(412, '')
  }
  const { headersOut } = request
  request.setValidators()
  const outcome = request.meetsConditions()
  headersOut.unset('ETag')
  headersOut.unset('Last-Modified')
  if (outcome !== OK) throw new DavError(412, '')
}

interface State {
  readonly context: DavContext
  readonly locks: readonly DavLock[]
  readonly lists: readonly IfList[]
  readonly hasIf: boolean
  readonly path: string
  readonly uri: string
  readonly locking: Validation['locking']
}

/** Checks one resource. */
function checkState({ context, locks, lists, hasIf, path, uri, locking }: State): DavError | null {
  const own = locksOf(locks, path, context.repository.entry(path) !== null)
  if (locking === 'exclusive' && own.length > 0) {
    return new DavError(423, 'Existing lock(s) on the requested resource prevent an exclusive lock.')
  }
  if (locking === 'shared' && own.some(({ exclusive }) => exclusive)) {
    return new DavError(423, 'The requested resource is already locked exclusively.')
  }
  const needsToken = locking === null && own.length > 0
  if (!hasIf) {
    if (!needsToken) return null
    return new DavError(423, 'This resource is locked and an "If:" header was not supplied to allow access to the resource.')
  }
  const applying = lists.filter((list) => list.path === null || list.path === withoutSlash(uri))
  let reason = ''
  for (const { conditions } of applying) {
    const failure = failureOf(conditions, own, context, path)
    if (failure instanceof DavError) return failure
    if (failure !== null) {
      reason = failure
      continue
    }
    if (!needsToken || submits(conditions, own)) return null
  }
  // A token of the resource may be in a list about another one: the folder that was locked.
  if (applying.length === 0 || reason === '') {
    if (!needsToken || lists.some(({ conditions }) => submits(conditions, own))) return null
    return new DavError(
      423,
      'This resource is locked and the "If:" header did not specify one of the locktokens for this resource\'s lock(s).',
    )
  }
  return new DavError(
    412,
    `The precondition(s) specified by the "If:" header did not match this resource. At least one failure is because: ${reason}`,
  )
}

function submits(conditions: readonly IfCondition[], locks: readonly DavLock[]): boolean {
  return conditions.some(({ kind, value, negated }) => kind === 'token' && !negated && locks.some(({ token }) => token === value))
}

/** Why a list does not hold; null if it does. */
function failureOf(
  conditions: readonly IfCondition[],
  locks: readonly DavLock[],
  { request, repository }: DavContext,
  path: string,
): string | DavError | null {
  for (const { kind, value, negated } of conditions) {
    if (kind === 'etag') {
      const entry = repository.entry(path)
      const matches = entry !== null && etagOf(entry) === value
      if (matches === negated) {
        return negated
          ? 'an entity-tag was specified using the "Not" form, but the resource\'s actual ETag matches the provided entity-tag.'
          : "an entity-tag was specified, but the resource's actual ETag does not match."
      }
      continue
    }
    const lock = locks.find(({ token }) => token === value)
    if (lock !== undefined && !negated && lock.user !== (request.user ?? '') && lock.user !== '') {
      return new DavError(403, `User "${request.user ?? ''}" submitted a locktoken created by user "${lock.user}".`)
    }
    if ((lock !== undefined) === negated) {
      return negated
        ? 'a State-token was supplied, which used a "Not" condition. The State-token was found in the locks on this resource'
        : 'a State-token was supplied, but it was not found in the locks on this resource.'
    }
  }
  return null
}
