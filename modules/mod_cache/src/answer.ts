import type { Request, StoredHead } from '@gatewright/api'
import { type FieldList, fieldOf } from './fields.ts'

/** Fields that the server makes by itself for each response. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['date', 'server', 'content-type'])

/**
 * Puts a stored response into a request, in place of all fields of the present one. Those that errors keep stay, if the
 * stored response has none of their name.
 * @param age in seconds; null for a response that its origin has just confirmed
 */
export function answerWith(
  request: Request,
  { status, fields }: StoredHead,
  age: number | null,
  warnings: readonly string[],
): void {
  request.status = status
  request.headersOut.clear()
  request.contentType = fieldOf(fields, 'Content-Type') ?? null
  request.contentEncoding = null
  request.contentLanguages = []
  dropRepeated(request, fields)
  for (const [name, value] of fields) if (!OWN_FIELDS.has(name.toLowerCase())) request.headersOut.add(name, value)
  if (age !== null) request.headersOut.set('Age', String(age))
  const former = fieldOf(fields, 'Warning') ?? ''
  for (const warning of warnings) {
    if (!former.includes(warning.slice(0, CODE_LENGTH))) request.headersOut.merge('Warning', warning)
  }
}

/** Warnings begin with a code of three digits. */
const CODE_LENGTH = 3

/** Drops the fields that errors keep and that a stored response has as well, except the cookies of this client. */
export function dropRepeated({ errHeadersOut }: Request, fields: FieldList): void {
  for (const [name] of fields) if (name.toLowerCase() !== 'set-cookie') errHeadersOut.unset(name)
}
