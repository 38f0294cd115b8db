import { requireByteText } from '@gatewright/api/text'
import type { Exchange } from '@gatewright/http'
import { findInvalidLine } from './own-fields.ts'

/**
 * Sends an interim response of a module.
 * @returns false if the client gets none
 * @throws RangeError or TypeError if it could be mistaken for something else
 */
export function sendInterim(
  exchange: Exchange | null,
  status: number,
  reason: string,
  fields: Iterable<readonly [name: string, value: string]>,
): boolean {
  if (!Number.isInteger(status) || status < 100 || status > 199 || status === 101) {
    throw new RangeError(`not the status of an interim response: ${status}`)
  }
  requireReason(reason)
  let lines = ''
  for (const [name, value] of fields) {
    const invalid = findInvalidLine(name, value)
    if (invalid !== null) throw new TypeError(invalid.text)
    lines += `${name}: ${value}\r\n`
  }
  return exchange?.interim(status, reason, lines) === true
}

function requireReason(reason: string): void {
  requireByteText('the reason phrase', reason)
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(reason)) throw new TypeError('the reason phrase has a control character')
}
