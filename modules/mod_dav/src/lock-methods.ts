import { randomUUID } from 'node:crypto'
import { httpStatus, type Outcome } from '@gatewright/api'
import {
  checkToken,
  DavError,
  type DavLock,
  type DavLocks,
  davChildren,
  elementsOf,
  isDav,
  isDavError,
  parseIf,
  writeElement,
  type XmlElement,
} from '@gatewright/dav'
import type { DavContext } from './context.ts'
import { activeLocks } from './lock-document.ts'
import { readDocument } from './read-document.ts'
import { depthOf } from './request-fields.ts'
import { parentOf, type Resource, resourceOf } from './resource.ts'
import { sendError, sendXml } from './respond.ts'
import { checkPreconditions, locksOf, validate } from './validate.ts'

/** The largest number of locks of a server. */
const MAX_LOCKS = 10_000

/** The longest element `owner`, in bytes. */
const MAX_OWNER = 16 * 1024

export async function lock(context: DavContext): Promise<Outcome> {
  const { request, repository, locks } = context
  const document = await readDocument(context)
  if (typeof document === 'number') return httpStatus(document)
  try {
    if (locks === null) throw withoutDatabase()
    const resource = resourceOf(request, repository)
    const depth = depthOf(context, 'infinity')
    if (depth === '1') throw new DavError(400, 'Depth must be 0 or "infinity" for LOCK.', { code: 'AH00595' })
    const deep = depth === 'infinity'
    if (resource.entry === null && repository.entry(parentOf(resource).path)?.kind !== 'folder') {
      throw new DavError(409, `The parent resource of ${request.uri} does not exist or is not a collection.`)
    }
    const wanted = document === null ? null : lockInfo(document)
    try {
      const parent = resource.entry === null && locksOf(locks.list(), resource.path, false).length === 0
      validate(context, resource, {
        deep,
        parent,
        locking: wanted === null ? null : wanted.exclusive ? 'exclusive' : 'shared',
        use424: false,
      })
    } catch (error) {
      if (!isDavError(error)) throw error
      const text = `Could not LOCK ${request.uri} due to a failed precondition (e.g. other locks).`
      throw new DavError(error.status, text, { before: error })
    }
    const expires = expiryOf(context)
    return wanted === null
      ? await refresh(context, locks, resource, expires)
      : await make(context, locks, resource, { ...wanted, deep, expires })
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
}

function withoutDatabase(): DavError {
  const text =
    'A lock database was not specified with the DAVLockDB directive. One must be specified to use the locking functionality.'
  return new DavError(500, text, { id: 401 })
}

async function make(
  context: DavContext,
  locks: DavLocks,
  { path, entry }: Resource,
  { exclusive, owner, deep, expires }: { exclusive: boolean; owner: string; deep: boolean; expires: number },
): Promise<Outcome> {
  const { request } = context
  const made: DavLock = {
    token: `opaquelocktoken:${randomUUID()}`,
    path,
    deep,
    exclusive,
    owner,
    user: request.user ?? '',
    expires,
  }
  await locks.change((all) => {
    // Another process may have made one since the check.
    const others = locksOf(all, path, entry !== null)
    if (others.some((other) => exclusive || other.exclusive)) {
      throw new DavError(423, 'Existing lock(s) on the requested resource prevent an exclusive lock.')
    }
    if (all.length >= MAX_LOCKS) throw new DavError(507, `The server already has ${MAX_LOCKS} locks.`)
    return [...all, made]
  })
  request.headersOut.set('Lock-Token', `<${made.token}>`)
  return sendXml(context, 200, 'prop', `<D:lockdiscovery>${activeLocks([made])}</D:lockdiscovery>\n`)
}

async function refresh(context: DavContext, locks: DavLocks, { path }: Resource, expires: number): Promise<Outcome> {
  const field = context.request.headersIn.get('If')
  const tokens = (field === undefined ? [] : parseIf(field)).flatMap(({ conditions }) => conditions.map(({ value }) => value))
  if (tokens.length === 0)
    throw new DavError(400, 'No locktokens were specified in the "If:" header, so the refresh could not be performed.')
  let refreshed: DavLock[] = []
  await locks.change((all) => {
    const here = locksOf(all, path)
    refreshed = here.filter(({ token }) => tokens.includes(token)).map((one) => ({ ...one, expires }))
    return all.map((one) => refreshed.find(({ token }) => token === one.token) ?? one)
  })
  return sendXml(context, 200, 'prop', `<D:lockdiscovery>${activeLocks(refreshed)}</D:lockdiscovery>\n`)
}

/** @throws DavError */
function lockInfo(document: XmlElement): { readonly exclusive: boolean; readonly owner: string } {
  if (!isDav(document, 'lockinfo')) throw new DavError(400, 'The request body contains an unexpected XML root element.')
  let exclusive: boolean | null = null
  let write = false
  let owner = ''
  for (const child of elementsOf(document)) {
    if (isDav(child, 'locktype') && davChildren(child, 'write').length > 0) write = true
    else if (isDav(child, 'lockscope') && davChildren(child, 'exclusive').length > 0) exclusive = true
    else if (isDav(child, 'lockscope') && davChildren(child, 'shared').length > 0) exclusive = false
    else if (isDav(child, 'owner')) owner = writeElement(child)
    else {
      const text = `The server cannot satisfy the LOCK request due to an unknown XML element ("${child.name}") within the DAV:lockinfo element.`
      throw new DavError(412, text)
    }
  }
  if (exclusive === null || !write) throw new DavError(400, 'The lockinfo element does not state a scope and a type.')
  if (owner.length > MAX_OWNER) throw new DavError(413, `The owner of a lock has more than ${MAX_OWNER} bytes.`)
  return { exclusive, owner }
}

/** When a lock ends, by the field Timeout; 0 for never. */
function expiryOf({ request, config }: DavContext): number {
  for (const word of (request.headersIn.get('Timeout') ?? '').split(',')) {
    const text = word.trim()
    if (/^infinite$/i.test(text)) return 0
    const seconds = /^second-(\d{1,10})$/i.exec(text)
    if (seconds !== null) return Date.now() + Math.max(Number(seconds[1]), config.minTimeout ?? 0) * 1000
  }
  return 0
}

export async function unlock(context: DavContext): Promise<Outcome> {
  const { request, repository, locks, log } = context
  const refused = await request.discardBody()
  if (refused !== 0) return refused
  try {
    if (locks === null) throw withoutDatabase()
    const field = request.headersIn.get('Lock-Token')
    if (field === undefined) {
      log.write(request, 'error', 'AH00596', `Unlock failed (${request.filename}):  No Lock-Token specified in header`)
      return httpStatus(400)
    }
    if (!field.startsWith('<') || !field.endsWith('>')) return httpStatus(400)
    const token = field.slice(1, -1)
    checkToken(token)
    const resource = resourceOf(request, repository)
    checkPreconditions(context, resource)
    const here = locksOf(locks.list(), resource.path, resource.entry !== null)
    if (here.length === 0) {
      throw new DavError(
        400,
        'The locktoken specified in the "Lock-Token:" header is invalid because this resource has no outstanding locks.',
      )
    }
    const found = here.find((one) => one.token === token)
    if (found === undefined) {
      throw new DavError(
        400,
        'The locktoken specified in the "Lock-Token:" header did not specify one of this resource\'s locktoken(s).',
      )
    }
    if (found.user !== '' && found.user !== (request.user ?? '')) {
      throw new DavError(403, `User "${request.user ?? ''}" submitted a locktoken created by user "${found.user}".`)
    }
    await locks.change((all) => all.filter((one) => one.token !== token))
    request.status = 204
    return request.respond('')
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
}
