import { METHODS } from 'node:http'
import type { ReadMessage } from './reading.ts'

/** Something that httpd, and so we, take and Node refuses. */
export interface Leniency {
  readonly name: string
  /** Whether it explains why Node has refused what we took. */
  applies(ours: ReadMessage, fault: string): boolean
}

const LENIENCIES: readonly Leniency[] = [
  {
    name: 'a request of HTTP/0.9, the last on its connection',
    applies: ({ version, persistent }) => version === '0.9' && !persistent,
  },
  {
    name: 'a method that Node does not know',
    applies: ({ method }, fault) => fault.startsWith('HPE_INVALID_METHOD') && !METHODS.includes(method),
  },
  {
    name: 'a version that Node does not know, as HTTP/1.1',
    applies: ({ version }, fault) => fault === 'HPE_INVALID_VERSION: Invalid HTTP version' && /^[1-9]\.[0-9]$/.test(version),
  },
  {
    name: 'CONNECT, for which a Node server needs a listener of its own',
    applies: ({ method }, fault) => method === 'CONNECT' && fault === 'closed',
  },
  {
    name: 'PRI as a method like others',
    applies: ({ method }, fault) => method === 'PRI' && fault.endsWith('Expected HTTP/2 Connection Preface'),
  },
  {
    // They are read and not used (RFC 9110 section 6.5.1).
    name: 'fields of framing and connection behind a body',
    applies: ({ trailers }, fault) => FRAMING_FAULT.test(fault) && trailers.some(isFramingField),
  },
  {
    name: 'a query alone as a target',
    applies: ({ target }, fault) => fault.startsWith('HPE_INVALID_URL') && target.startsWith('?'),
  },
  {
    name: 'bytes in a target that are not ASCII',
    applies: ({ target }, fault) => fault.startsWith('HPE_INVALID_URL') && /[\x80-\xff]/.test(target),
  },
]

const FRAMING_FAULT = /^HPE_(?:INVALID|UNEXPECTED)_(?:CONTENT_LENGTH|TRANSFER_ENCODING):/

function isFramingField(text: string, index: number): boolean {
  return index % 2 === 0 && /^(?:content-length|transfer-encoding)$/i.test(text)
}

export function leniencyFor(ours: ReadMessage, fault: string): Leniency | null {
  return LENIENCIES.find((each) => each.applies(ours, fault)) ?? null
}
