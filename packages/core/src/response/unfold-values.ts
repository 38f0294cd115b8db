import type { Table } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'

/** A line of a value that continues the one before it (RFC 9112, section 5.2). */
const FOLD = /\r\n[\t ]+/g

/**
 * Makes values of fields that modules set in several lines, as older protocols allow, values of one line: a blank replaces
 * each line end with the blanks after it.
 * @returns whether there was such a value
 */
export function unfoldValues(request: RequestRecord): boolean {
  const type = request.contentType
  const unfolded = type === null ? null : type.replace(FOLD, ' ')
  request.contentType = unfolded
  const always = unfold(request.existingErrHeadersOut)
  const normal = unfold(request.existingHeadersOut)
  return always || normal || unfolded !== type
}

function unfold(table: Table | null): boolean {
  if (table === null) return false
  const fields = Array.from({ length: table.size }, (_, index) => ({
    name: table.name(index),
    value: table.value(index).replace(FOLD, ' '),
  }))
  if (fields.every(({ value }, index) => value === table.value(index))) return false
  table.clear()
  for (const { name, value } of fields) table.add(name, value)
  return true
}
