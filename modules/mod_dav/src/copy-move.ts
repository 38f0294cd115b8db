import { httpStatus, OK, type Outcome } from '@gatewright/api'
import { DavError, isDavError } from '@gatewright/dav'
import type { DavContext } from './context.ts'
import { depthOf, overwriteOf } from './request-fields.ts'
import { type Resource, resourceOf } from './resource.ts'
import { sendCreated, sendError, sendPage } from './respond.ts'
import { isBelow, locksOf, validate } from './validate.ts'

export async function copyOrMove(
  context: DavContext,
  method: 'COPY' | 'MOVE',
  isDavPlace: (request: DavContext['request']) => boolean,
): Promise<Outcome> {
  const { request, repository } = context
  try {
    const resource = resourceOf(request, repository)
    if (resource.entry === null) return httpStatus(404)
    const destination = destinationOf(context)
    if (typeof destination === 'object') return sendPage(context, destination.status, destination.text)
    const sub = await request.lookupUri(destination, request.method)
    if (sub.status !== 200 && sub.status !== 404) return sendPage(context, sub.status, 'Destination URI had an error.')
    if (!isDavPlace(sub)) throw new DavError(405, `DAV not enabled for ${sub.uri}`)
    const target = resourceOf(sub, repository)
    const overwrite = overwriteOf(context)
    if (target.entry !== null && !overwrite) return sendPage(context, 412, 'Destination is not empty and Overwrite is not "T"')
    if (resource.path === target.path) return sendPage(context, 403, 'Source and Destination URIs are the same.')
    const isFolder = resource.entry.kind === 'folder'
    const depth = depthOf(context, 'infinity')
    if (depth === '1') throw new DavError(400, 'Depth must be "0" or "infinity" for COPY or MOVE.', { code: 'AH00593' })
    if (depth === '0' && isFolder && method === 'MOVE') {
      throw new DavError(400, 'Depth must be "infinity" when moving a collection.', { code: 'AH00594' })
    }
    check(context, resource, target, method, depth === 'infinity')
    if (isFolder && depth === 'infinity' && isBelow(target.path, resource.path))
      return sendPage(context, 403, 'Source collection contains the Destination.')
    if (target.entry?.kind === 'folder' && isBelow(resource.path, target.path)) {
      return sendPage(context, 403, 'Destination collection contains the Source and Overwrite has been specified.')
    }
    const refused = await request.discardBody()
    if (refused !== OK) return refused
    try {
      if (method === 'COPY') await repository.copy(resource.path, target.path, depth === 'infinity')
      else {
        await repository.move(resource.path, target.path)
        // Locks do not move.
        await context.locks?.change((all) => all.filter(({ path }) => path !== resource.path && !isBelow(path, resource.path)))
      }
    } catch (error) {
      if (!isDavError(error)) throw error
      throw new DavError(error.status, `Could not MOVE/COPY ${request.uri}.`, { before: error })
    }
    return sendCreated(context, 'Destination', destination, target.entry !== null)
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
}

/** @throws DavError */
function check(context: DavContext, resource: Resource, target: Resource, method: 'COPY' | 'MOVE', deep: boolean): void {
  const { request, locks } = context
  try {
    // A copy only reads its source.
    validate(context, resource, { deep, parent: method === 'MOVE', locking: method === 'MOVE' ? null : 'reads', use424: true })
  } catch (error) {
    if (!isDavError(error)) throw error
    throw new DavError(
      error.status,
      `Could not ${method} ${request.uri} due to a failed precondition on the source (e.g. locks).`,
      {
        before: error,
      },
    )
  }
  const fresh = target.entry === null && locksOf(locks?.list() ?? [], target.path, false).length === 0
  try {
    validateTarget(context, target, fresh || target.entry?.kind === 'folder' || method === 'MOVE')
  } catch (error) {
    if (!isDavError(error)) throw error
    throw new DavError(
      error.status,
      `Could not ${method} ${request.uri} due to a failed precondition on the destination (e.g. locks).`,
      {
        before: error,
      },
    )
  }
}

/** The conditions of HTTP are about the source. */
function validateTarget(context: DavContext, target: Resource, parent: boolean): void {
  validate(context, target, { deep: true, parent, locking: null, use424: true, conditions: 'if missing' })
}

/** The path and query of the Destination, or why it is refused. @throws DavError */
function destinationOf({ request }: DavContext): string | { readonly status: number; readonly text: string } {
  const field = request.headersIn.get('Destination') ?? request.headersIn.get('New-uri')
  if (field === undefined) throw new DavError(400, 'The request is missing a Destination header.', { code: 'AH00591' })
  const found = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)([?#].*)?$/i.exec(field)
  if (found === null) throw new DavError(400, 'Destination URI must be an absolute URI.', { code: 'AH00592' })
  const [, scheme, authority, path, rest] = found
  if (rest !== undefined) {
    throw new DavError(400, 'Destination URI contains invalid components (a query or a fragment).', { code: 'AH00592' })
  }
  const port = Number(/:(\d+)$/.exec(authority)?.[1] ?? (scheme.toLowerCase() === 'https' ? 443 : 80))
  const own = request.serverPort()
  const real = request.connection.localPort
  if (scheme.toLowerCase() !== request.scheme || (port !== own && port !== real)) {
    const text = `Destination URI refers to different scheme or port (${scheme.toLowerCase()}://hostname:${port})\n(want: ${request.scheme}://hostname:${real})`
    return { status: 502, text }
  }
  return path === '' ? '/' : path
}
