import { httpStatus, OK, type Outcome } from '@gatewright/api'
import { escapeHtml } from '@gatewright/api/text'
import { DavError, isDavError } from '@gatewright/dav'
import type { DavContext } from './context.ts'
import { readDocument } from './read-document.ts'
import { depthOf } from './request-fields.ts'
import { hrefOf, type Resource, resourceOf } from './resource.ts'
import { logError, sendCreated, sendError, sendPage } from './respond.ts'
import { isBelow, locksOf, validate } from './validate.ts'

export async function put(context: DavContext): Promise<Outcome> {
  const { request, repository } = context
  try {
    const resource = resourceOf(request, repository)
    if (resource.entry?.kind === 'folder') return sendPage(context, 409, 'Cannot PUT to a collection.')
    validate(context, resource, { deep: false, parent: isNew(context, resource), locking: null, use424: false })
    const range = rangeOf(request.headersIn.get('Content-Range'))
    if (range === 'malformed') {
      return sendPage(context, 400, `Malformed Content-Range header for PUT ${escapeHtml(hrefOf(request.uri))}.`)
    }
    const replaced = resource.entry !== null
    try {
      await repository.write(resource.path, request.readBody(), range)
    } catch (error) {
      // The body was refused or broke off: the host answers with the status.
      if (!isDavError(error)) throw error
      throw new DavError(error.status, `Unable to PUT new contents for ${request.uri}.`, { before: error })
    }
    return sendCreated(context, 'Resource', hrefOf(request.uri), replaced)
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
}

/** Whether a resource comes into being, so that the folder around it changes; a lock may already be there. */
function isNew({ locks }: DavContext, { entry, path }: Resource): boolean {
  return entry === null && !(locks?.list() ?? []).some((lock) => lock.path === path)
}

/** The first byte that is written; null for the whole file. */
function rangeOf(field: string | undefined): number | null | 'malformed' {
  if (field === undefined) return null
  const found = /^bytes\s+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(field)
  if (found === null || Number(found[1]) > Number(found[2])) return 'malformed'
  return found[3] !== '*' && Number(found[2]) >= Number(found[3]) ? 'malformed' : Number(found[1])
}

export async function remove(context: DavContext): Promise<Outcome> {
  const { request, repository, locks } = context
  try {
    const refused = await request.discardBody()
    if (refused !== OK) return refused
    const resource = resourceOf(request, repository)
    if (resource.entry === null) return httpStatus(404)
    const depth = depthOfRemoval(context, resource.entry.kind)
    if (resource.entry.kind === 'folder' && depth !== 'infinity') {
      throw new DavError(400, 'Depth must be "infinity" for DELETE of a collection.', { code: 'AH00582' })
    }
    if (resource.entry.kind === 'file' && depth === '1') {
      throw new DavError(400, 'Depth of "1" is not allowed for DELETE.', { code: 'AH00583' })
    }
    if (request.unparsedUri.includes('#')) return httpStatus(400)
    try {
      validate(context, resource, { deep: true, parent: true, locking: null, use424: true })
    } catch (error) {
      if (!isDavError(error)) throw error
      const text = `Could not DELETE ${request.uri} due to a failed precondition (e.g. locks).`
      throw new DavError(error.status, text, { before: error })
    }
    try {
      await repository.remove(resource.path)
    } catch (error) {
      if (!isDavError(error)) throw error
      throw new DavError(error.status, `Could not DELETE ${request.uri}.`, { before: error })
    }
    if (locks !== null && locks.list().length > 0) {
      await locks.change((all) => all.filter(({ path }) => path !== resource.path && !isBelow(path, resource.path)))
    }
    request.status = 204
    return request.respond('')
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
}

/** As in httpd, a wrong Depth of a file is logged and has no effect. @throws DavError */
function depthOfRemoval(context: DavContext, kind: 'file' | 'folder'): '0' | '1' | 'infinity' {
  try {
    return depthOf(context, 'infinity')
  } catch (error) {
    if (kind === 'folder' || !isDavError(error)) throw error
    logError(context, error)
    return 'infinity'
  }
}

export async function makeCollection(context: DavContext): Promise<Outcome> {
  const { request, repository, locks } = context
  try {
    const document = await readDocument(context)
    if (typeof document === 'number') return httpStatus(document === 400 ? 415 : document)
    if (document !== null) return httpStatus(415)
    const resource = resourceOf(request, repository)
    if (resource.entry !== null) return httpStatus(405)
    const known = locksOf(locks?.list() ?? [], resource.path).some(({ path }) => path === resource.path)
    validate(context, resource, { deep: false, parent: !known, locking: null, use424: false })
    repository.makeFolder(resource.path)
    return sendCreated(context, 'Collection', hrefOf(request.uri), false)
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
}

export function options(context: DavContext): Outcome {
  const { request, repository, locks } = context
  try {
    const resource = resourceOf(request, repository)
    const { headersOut } = request
    headersOut.add('DAV', locks === null ? '1' : '1,2')
    headersOut.add('DAV', '<http://apache.org/dav/propset/fs/1>')
    headersOut.set('MS-Author-Via', 'DAV')
    const methods = ['OPTIONS']
    if (resource.entry === null) {
      methods.push('MKCOL', 'PUT')
      if (locks !== null) methods.push('LOCK')
      if (!isNew(context, resource) && !request.uri.endsWith('/')) methods.push('PROPFIND', 'UNLOCK')
    } else {
      methods.push('GET', 'HEAD', 'POST', 'DELETE', 'PROPFIND', 'PROPPATCH', 'COPY', 'MOVE')
      if (request.server.traceMethod !== 'off') methods.push('TRACE')
      if (locks !== null) methods.push('LOCK', 'UNLOCK')
      if (resource.entry.kind === 'file') methods.push('PUT')
    }
    headersOut.set('Allow', methods.join(','))
    return request.respond('')
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
}
