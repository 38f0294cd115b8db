import type { Fields, Request } from '@gatewright/api'

export type FieldList = readonly (readonly [name: string, value: string])[]

/** All values of a name, joined; undefined if there are none. */
export function fieldOf(fields: FieldList, name: string): string | undefined {
  const lower = name.toLowerCase()
  const values = fields.filter(([one]) => one.toLowerCase() === lower).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

/** The fields of a response as its client gets them: those that errors keep as well, its type, coding and languages. */
export function responseFields(request: Request): FieldList {
  const { contentType, contentEncoding, contentLanguages } = request
  const fields: [string, string][] = [...request.headersOut, ...request.errHeadersOut]
  const add = (name: string, value: string): void => {
    if (fieldOf(fields, name) === undefined) fields.push([name, value])
  }
  if (contentType !== null) {
    const rest = fields.filter(([name]) => name.toLowerCase() !== 'content-type')
    fields.splice(0, fields.length, ...rest, ['Content-Type', contentType])
  }
  if (contentEncoding !== null) add('Content-Encoding', contentEncoding)
  if (contentLanguages.length > 0) add('Content-Language', contentLanguages.join(', '))
  return fields
}

/** Fields about one connection, and those that the server makes for each response by itself. */
const NEVER_STORED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'trailers',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-range',
])

/** Leaves out what is about the connection, what Connection lists, and what lines or the response itself exclude. */
export function storableFields(fields: FieldList, excluded: readonly ReadonlySet<string>[]): FieldList {
  const listed = namesIn(fieldOf(fields, 'Connection') ?? '')
  return fields.filter(([name]) => {
    const lower = name.toLowerCase()
    return !NEVER_STORED.has(lower) && !listed.includes(lower) && !excluded.some((names) => names.has(lower))
  })
}

/** The names in a list, in lower case. */
export function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
}

/** Those fields of a request that the Vary of a response names. */
export function chosenBy(fields: FieldList, request: FieldList): FieldList {
  const names = namesIn(fieldOf(fields, 'Vary') ?? '')
  return request.filter(([name]) => names.includes(name.toLowerCase()))
}

/** Whether a request has the same fields as the one that a response answered, as far as its Vary names them. */
export function matchesVary(fields: FieldList, answered: FieldList, request: Fields): boolean {
  return namesIn(fieldOf(fields, 'Vary') ?? '').every((name) => name !== '*' && request.get(name) === fieldOf(answered, name))
}

/** Newer fields replace those of the same name. */
export function updatedFields(before: FieldList, newer: FieldList): FieldList {
  const names = new Set(newer.map(([name]) => name.toLowerCase()))
  return [...before.filter(([name]) => !names.has(name.toLowerCase())), ...newer]
}
