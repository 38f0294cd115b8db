import { httpStatus, type MaybePromise, type Outcome } from '@gatewright/api'
import { escapeHtml, escapeUriPath } from '@gatewright/api/text'
import {
  DavError,
  type DavLock,
  type DavResponse,
  davChildren,
  elementsOf,
  isDav,
  isDavError,
  propertyKey,
  type XmlElement,
} from '@gatewright/dav'
import type { DavContext } from './context.ts'
import { LIVE_PROPERTIES, liveProperty, propertyElement } from './live-properties.ts'
import { readDocument } from './read-document.ts'
import { depthOf } from './request-fields.ts'
import { parentOf, type Resource, resourceOf, withoutSlash } from './resource.ts'
import { sendError, sendPage, statusLine, writeResponse } from './respond.ts'

/** What a client asks for. */
type Wanted =
  | { readonly kind: 'all' | 'names' }
  | { readonly kind: 'some'; readonly names: readonly { readonly namespace: string; readonly name: string }[] }

export async function propfind(context: DavContext): Promise<Outcome> {
  const { request, repository } = context
  let resource: Resource
  let depth: '0' | '1' | 'infinity'
  try {
    resource = resourceOf(request, repository)
    // A lock of a name that nothing has yet is found, too.
    if (resource.entry === null && !hasLock(context, resource)) return httpStatus(404)
    depth = depthOf(context, 'infinity')
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
  if (depth === 'infinity' && resource.entry?.kind === 'folder' && context.config.depthInfinity !== true) {
    const text = `PROPFIND requests with a Depth of "infinity" are not allowed for ${escapeHtml(request.uri)}.`
    return sendPage(context, 403, text)
  }
  const document = await readDocument(context)
  if (typeof document === 'number') return httpStatus(document)
  try {
    const wanted = wantedBy(document)
    const { contentType } = request
    const outcome = request.respond(multistatus(context, resource, depth, wanted, contentType))
    request.contentType = 'text/xml; charset="utf-8"'
    request.status = 207
    return outcome
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
}

function hasLock({ locks }: DavContext, { path, uri }: Resource): boolean {
  return !uri.endsWith('/') && (locks?.list() ?? []).some((lock) => lock.path === path)
}

/** @throws DavError */
function wantedBy(document: XmlElement | null): Wanted {
  if (document === null) return { kind: 'all' }
  if (!isDav(document, 'propfind')) throw new DavError(400, 'The "propfind" element was not found.', { code: 'AH00585' })
  if (davChildren(document, 'allprop').length > 0) return { kind: 'all' }
  if (davChildren(document, 'propname').length > 0) return { kind: 'names' }
  const [prop] = davChildren(document, 'prop')
  if (prop !== undefined) return { kind: 'some', names: elementsOf(prop) }
  throw new DavError(400, 'The "propfind" element does not contain one of the required child elements (the specific command).', {
    code: 'AH00586',
  })
}

/** One part for each resource, made while the client reads. */
async function* multistatus(
  context: DavContext,
  resource: Resource,
  depth: '0' | '1' | 'infinity',
  wanted: Wanted,
  contentType: string | null,
): AsyncGenerator<string> {
  const locks = context.locks?.list() ?? []
  yield '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n'
  yield writeResponse(await partOf(context, resource, contentType, wanted, locks))
  if (depth !== '0' && resource.entry?.kind === 'folder') yield* partsBelow(context, resource, depth, wanted, locks)
  yield '</D:multistatus>\n'
}

async function* partsBelow(
  context: DavContext,
  folder: Resource,
  depth: '1' | 'infinity',
  wanted: Wanted,
  locks: readonly DavLock[],
): AsyncGenerator<string> {
  const { request, repository } = context
  for (const name of repository.names(folder.path)) {
    if (request.work.spend(STEPS)) await request.work.pause()
    const path = `${folder.path === '/' ? '' : folder.path}/${name}`
    const entry = repository.entry(path)
    if (entry === null) continue
    const uri = `${withoutSlash(folder.uri) === '/' ? '' : withoutSlash(folder.uri)}/${name}${entry.kind === 'folder' ? '/' : ''}`
    const resource = { path, uri, entry }
    const looked = typeWanted(wanted) && entry.kind === 'file' ? await request.lookupUri(escapeUriPath(uri)) : null
    yield writeResponse(await partOf(context, resource, looked?.contentType ?? null, wanted, locks))
    if (depth === 'infinity' && entry.kind === 'folder') yield* partsBelow(context, resource, depth, wanted, locks)
  }
  // Names that are locked, and that nothing has yet.
  const locked = new Set(locks.map(({ path }) => path).filter((path) => parentOf({ path, uri: path }).path === folder.path))
  for (const path of locked) {
    if (repository.entry(path) !== null) continue
    const uri = `${withoutSlash(folder.uri) === '/' ? '' : withoutSlash(folder.uri)}${path.slice(path.lastIndexOf('/'))}`
    yield writeResponse(await partOf(context, { path, uri, entry: null }, null, wanted, locks))
  }
}

/** Approximate microseconds for one resource. */
const STEPS = 100

function typeWanted(wanted: Wanted): boolean {
  return wanted.kind !== 'some' || wanted.names.some(({ name }) => name === 'getcontenttype')
}

function partOf(
  context: DavContext,
  resource: Resource,
  contentType: string | null,
  wanted: Wanted,
  locks: readonly DavLock[],
): MaybePromise<DavResponse> {
  const about = { context, resource, contentType, locks }
  const found: string[] = []
  const missing: string[] = []
  if (wanted.kind === 'some') {
    const dead = wanted.names.every((name) => liveProperty(name) !== undefined)
      ? []
      : context.repository.properties(resource.path)
    const byKey = new Map(dead.map((property) => [propertyKey(property), property.xml]))
    for (const name of wanted.names) {
      const live = liveProperty(name)
      const value = live?.value(about) ?? null
      if (value !== null) found.push(propertyElement(name, value))
      else {
        const xml = live === undefined ? byKey.get(propertyKey(name)) : undefined
        if (xml === undefined) missing.push(propertyElement(name, ''))
        else found.push(xml)
      }
    }
  } else {
    const namesOnly = wanted.kind === 'names'
    for (const live of LIVE_PROPERTIES) {
      const value = live.value(about)
      if (value !== null) found.push(propertyElement(live, namesOnly ? '' : value))
    }
    for (const property of context.repository.properties(resource.path)) {
      found.push(namesOnly ? propertyElement(property, '') : property.xml)
    }
  }
  const propstat =
    (found.length > 0 || missing.length === 0 ? propstatOf(found, 200) : '') +
    (missing.length > 0 ? propstatOf(missing, 404) : '')
  return { href: escapeUriPath(resource.uri), propstat, status: 0, description: '' }
}

function propstatOf(properties: readonly string[], status: number): string {
  return `<D:propstat>\n<D:prop>\n${properties.join('\n')}\n</D:prop>\n<D:status>${statusLine(status)}</D:status>\n</D:propstat>\n`
}
