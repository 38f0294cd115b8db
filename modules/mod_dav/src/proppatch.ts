import { httpStatus, type Outcome } from '@gatewright/api'
import {
  DavError,
  type DeadProperty,
  davChildren,
  elementsOf,
  escapeXml,
  isDav,
  isDavError,
  propertyKey,
  textOf,
  writeElement,
  type XmlElement,
} from '@gatewright/dav'
import type { DavContext } from './context.ts'
import { APACHE_NAMESPACE, liveProperty, propertyElement } from './live-properties.ts'
import { readDocument } from './read-document.ts'
import { hrefOf, type Resource, resourceOf, withoutSlash } from './resource.ts'
import { logError, sendError, sendXml, statusLine } from './respond.ts'
import { validate } from './validate.ts'

interface Change {
  readonly element: XmlElement
  readonly operation: 'set' | 'remove'
  failure: DavError | null
}

export async function proppatch(context: DavContext): Promise<Outcome> {
  const { request, repository } = context
  try {
    const resource = resourceOf(request, repository)
    if (resource.entry === null) return httpStatus(404)
    const document = await readDocument(context)
    if (typeof document === 'number') return httpStatus(document)
    if (document === null || !isDav(document, 'propertyupdate')) {
      throw new DavError(400, 'The request body does not contain a "propertyupdate" element.', { code: 'AH00587' })
    }
    validate(context, resource, { deep: false, parent: false, locking: null, use424: false })
    const changes = changesIn(document)
    apply(context, resource, changes)
    for (const { failure } of changes) if (failure !== null) logError(context, failure)
    return sendXml(context, 207, 'multistatus', answer(resource, changes))
  } catch (error) {
    if (!isDavError(error)) throw error
    return sendError(context, error)
  }
}

/** @throws DavError */
function changesIn(document: XmlElement): Change[] {
  return elementsOf(document).flatMap((command) => {
    if (!isDav(command, 'set') && !isDav(command, 'remove')) return []
    const operation = command.name === 'set' ? 'set' : 'remove'
    const [prop] = davChildren(command, 'prop')
    if (prop === undefined) {
      throw new DavError(400, 'A "prop" element is missing inside the propertyupdate command.', { code: 'AH00588' })
    }
    return elementsOf(prop).map((element): Change => ({ element, operation, failure: null }))
  })
}

/** Makes all changes, or none of them. */
function apply({ repository }: DavContext, { path }: Resource, changes: readonly Change[]): void {
  for (const change of changes) change.failure = refusalOf(change)
  if (changes.every(({ failure }) => failure === null)) {
    const before = repository.properties(path)
    const after = new Map(before.map((property) => [propertyKey(property), property]))
    const executable: { readonly change: Change; readonly value: boolean }[] = []
    for (const change of changes) {
      const { element, operation } = change
      if (isExecutable(element)) executable.push({ change, value: operation === 'set' && textOf(element).trim() === 'T' })
      else if (operation === 'set') after.set(propertyKey(element), deadProperty(element))
      else after.delete(propertyKey(element))
    }
    try {
      if (changes.length > executable.length) repository.setProperties(path, [...after.values()])
      for (const { change, value } of executable) setExecutable(change, () => repository.setExecutable(path, value))
    } catch (error) {
      if (!isDavError(error)) throw error
      for (const change of changes)
        change.failure ??= new DavError(error.status, 'Could not execute PROPPATCH.', { id: 206, before: error })
    }
    if (changes.some(({ failure }) => failure !== null) && changes.length > executable.length)
      repository.setProperties(path, before)
  }
  if (changes.every(({ failure }) => failure === null)) return
  for (const change of changes) {
    change.failure ??= new DavError(
      424,
      `Attempted DAV:${change.operation} operation could not be completed due to other errors.`,
    )
  }
}

function setExecutable(change: Change, set: () => void): void {
  try {
    set()
  } catch (error) {
    const osError = error instanceof Error ? error : undefined
    const first = new DavError(500, 'Could not set the executable flag of the target resource.', { osError })
    const before = new DavError(500, 'Could not execute PROPPATCH.', { id: 206, before: first })
    change.failure = new DavError(500, "After a failure occurred, the resource's executable flag could not be restored.", {
      osError,
      before,
    })
  }
}

function isExecutable({ namespace, name }: XmlElement): boolean {
  return namespace === APACHE_NAMESPACE && name === 'executable'
}

function refusalOf({ element, operation }: Change): DavError | null {
  if (liveProperty(element) === undefined) return null
  if (!isExecutable(element)) return new DavError(409, 'Property is read-only.', { id: 201 })
  if (operation === 'remove') return new DavError(409, "The 'executable' property cannot be removed.")
  const value = textOf(element)
  if (value.length > 1) {
    return new DavError(
      409,
      "The 'executable' property expects a single character, valued 'T' or 'F'. The value submitted has too many characters.",
    )
  }
  if (value === 'T' || value === 'F') return null
  return new DavError(
    409,
    value === ''
      ? "The 'executable' property expects a single character, valued 'T' or 'F'. There was no value submitted."
      : "The 'executable' property expects a single character, valued 'T' or 'F'. The value submitted is invalid.",
  )
}

function deadProperty(element: XmlElement): DeadProperty {
  const { namespace, name } = element
  // As in httpd, of its attributes only the language is kept.
  const attributes = element.attributes.filter(({ prefix, name }) => prefix === 'xml' && name === 'lang')
  return { namespace, name, xml: writeElement({ ...element, attributes }) }
}

/** Successes in one part; each failure with its reason. */
function answer({ uri, entry }: Resource, changes: readonly Change[]): string {
  const parts: string[] = []
  const done = changes.filter(({ failure }) => failure === null)
  const failed = changes.filter(({ failure }) => failure !== null).map((change) => [change])
  for (const group of failed.length === 0 ? [done] : failed) {
    const failure = group[0]?.failure ?? null
    const names = group.map(({ element }) => propertyElement(element, '')).join('\n')
    const description = failure === null ? '' : `<D:responsedescription>${escapeXml(failure.message)}</D:responsedescription>\n`
    const status = failure === null ? statusLine(200) : `HTTP/1.1 ${failure.status} (status)`
    parts.push(`<D:propstat>\n<D:prop>\n${names}\n</D:prop>\n<D:status>${status}</D:status>\n${description}</D:propstat>\n`)
  }
  const href = hrefOf(entry?.kind === 'folder' ? withoutSlash(uri) : uri)
  return `<D:response>\n<D:href>${escapeXml(href)}</D:href>\n${parts.join('')}</D:response>\n`
}
