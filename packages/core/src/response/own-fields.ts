import type { Table } from '@gatewright/api'
import { isByteText } from '@gatewright/api/text'
import type { RequestRecord } from '../model/request-record.ts'

/** Why a response cannot be sent as modules set it. */
export interface InvalidField {
  readonly code: string
  readonly text: string
}

/** Field names that were found valid: a server uses few of them. */
const validNames = new Set<string>()
/** Beyond this number, names are checked each time; only a module that generates names reaches it. */
const MAX_NAMES = 500
const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/
/**
 * What a field value must not contain (RFC 9110, section 5.5): control characters except the tab, and
 * characters that are not bytes.
 */
const UNFIT = /[^\t\x20-\x7e\x80-\xff]/

/**
 * The first field set by a module that recipients would not parse as one field, or a body that is not bytes;
 * null if the response can be sent.
 */
export function findInvalidField(request: RequestRecord): InvalidField | null {
  const { existingErrHeadersOut: always, existingHeadersOut: normal, body } = request
  return (
    (always === null ? null : invalidOf(always)) ??
    (normal === null ? null : invalidOf(normal)) ??
    invalidOfContent(request) ??
    (typeof body === 'string' && !isByteText(body) ? WIDE_BODY : null)
  )
}

const WIDE_BODY: InvalidField = {
  code: '',
  text: 'Response body has a character above U+00FF, which is not one byte, aborting request (sendText sends such texts)',
}

/** The fields that modules set without naming them. */
function invalidOfContent({ contentType, contentEncoding, contentLanguages }: RequestRecord): InvalidField | null {
  if (contentType !== null && UNFIT.test(contentType)) return invalidValue('Content-Type', contentType)
  if (contentEncoding !== null && UNFIT.test(contentEncoding)) return invalidValue('Content-Encoding', contentEncoding)
  for (let index = 0; index < contentLanguages.length; index++) {
    if (UNFIT.test(contentLanguages[index])) return invalidValue('Content-Language', contentLanguages[index])
  }
  return null
}

function invalidOf(table: Table): InvalidField | null {
  for (let index = 0; index < table.size; index++) {
    const invalid = findInvalidLine(table.name(index), table.value(index))
    if (invalid !== null) return invalid
  }
  return null
}

/** Why recipients would not parse name and value as one field; null if they would. */
export function findInvalidLine(name: string, value: string): InvalidField | null {
  if (name === '') return { code: 'AH02428', text: 'Empty response header name, aborting request' }
  if (!isValidName(name)) {
    return { code: 'AH02429', text: `Response header name '${name}' contains invalid characters, aborting request` }
  }
  return UNFIT.test(value) ? invalidValue(name, value) : null
}

function invalidValue(name: string, value: string): InvalidField {
  return {
    code: 'AH02430',
    text: `Response header '${name}' value of '${value}' contains invalid characters, aborting request`,
  }
}

function isValidName(name: string): boolean {
  if (validNames.has(name)) return true
  if (!TOKEN.test(name)) return false
  if (validNames.size < MAX_NAMES) validNames.add(name)
  return true
}

/** True if modules set the field. */
export function hasField({ existingErrHeadersOut: always, existingHeadersOut: normal }: RequestRecord, name: string): boolean {
  return always?.has(name) === true || normal?.has(name) === true
}

/**
 * All values of a field in both tables, separated by commas; null without the field. Removes it from the
 * tables.
 */
export function takeField(request: RequestRecord, name: string): string | null {
  const always = takeFrom(request.existingErrHeadersOut, name)
  const normal = takeFrom(request.existingHeadersOut, name)
  return always === null ? normal : normal === null ? always : `${always}, ${normal}`
}

/** The first value of a field in both tables; null without the field. Removes all of it from the tables. */
export function takeFirstField(
  { existingErrHeadersOut: always, existingHeadersOut: normal }: RequestRecord,
  name: string,
): string | null {
  const first = always?.get(name) ?? normal?.get(name)
  always?.unset(name)
  normal?.unset(name)
  return first ?? null
}

function takeFrom(table: Table | null, name: string): string | null {
  if (table === null || !table.has(name)) return null
  const values = table.getAll(name)
  table.unset(name)
  return values.length === 1 ? values[0] : values.join(', ')
}

/** Combines all Vary fields into one, without duplicate names. */
export function joinVary(request: RequestRecord): void {
  const { existingErrHeadersOut: always, existingHeadersOut: normal } = request
  const inAlways = always?.has('Vary') === true
  if (!inAlways && normal?.has('Vary') !== true) return
  const names: string[] = []
  for (const value of [...(always?.getAll('Vary') ?? []), ...(normal?.getAll('Vary') ?? [])]) addTokens(names, value)
  const joined = names.join(',')
  if (always !== null && inAlways) {
    always.set('Vary', joined)
    normal?.unset('Vary')
  } else normal?.set('Vary', joined)
}

/** Languages of the file, and those in a Content-Language field. */
export function joinLanguages(known: readonly string[], field: string): string {
  const names = [...known]
  addTokens(names, field)
  return names.join(',')
}

/** Blanks separate tokens like commas. */
function addTokens(names: string[], list: string): void {
  for (const token of list.split(/[\s,]+/)) {
    if (token !== '' && !names.some((name) => name.toLowerCase() === token.toLowerCase())) names.push(token)
  }
}
