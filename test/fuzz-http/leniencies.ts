import { METHODS } from 'node:http'
import type { ReadMessage } from './reading.ts'
import type { Strictness } from './strictness.ts'

/** Something that httpd, and so we, take and Node refuses. */
export interface Leniency {
  readonly name: string
  /**
   * Whether it explains why Node rejected a message that we accepted.
   * @param text from the message on
   */
  applies(ours: ReadMessage, fault: string, text: string): boolean
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
    // They are read but not used (RFC 9110 section 6.5.1).
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

/** What HttpProtocolOptions Unsafe accepts in addition, as in httpd. */
const OF_UNSAFE: readonly Leniency[] = [
  {
    name: 'a version with http in lower case',
    applies: (_, fault, text) => {
      const word = /^\s*\S+ +\S+ +([a-z]+)\/\d\.\d\s/i.exec(text)?.[1] ?? 'HTTP'
      return fault.startsWith('HPE_INVALID_CONSTANT') && word !== 'HTTP' && word.toUpperCase() === 'HTTP'
    },
  },
  {
    name: 'several blanks between the parts of a request line, or blanks behind them',
    applies: (_, fault, text) =>
      REQUEST_LINE_FAULT.test(fault) && /^\s*\S+(?: {2,}\S+ +\S+| +\S+ {2,}\S+| \S+ \S+ +\r?\n)/.test(text),
  },
  {
    name: 'a scheme without a host as a path',
    applies: ({ target }, fault) => fault.startsWith('HPE_INVALID_URL') && /^[a-z][a-z0-9+.-]*:(?!\/\/)/i.test(target),
  },
  {
    name: 'a fragment in a target, which is left out',
    applies: ({ target }, fault) => fault.startsWith('HPE_INVALID_URL') && target.includes('#'),
  },
  {
    name: 'a host in a target that is none',
    applies: ({ target }, fault) =>
      fault.startsWith('HPE_INVALID_URL') && /^[a-z][a-z0-9+.-]*:\/\/[^/?]*[^/?\w.:[\]-]/i.test(target),
  },
  {
    name: 'a method that is no token',
    applies: ({ method }, fault) => fault.startsWith('HPE_INVALID_METHOD') && !METHODS.includes(method),
  },
  {
    name: 'a field name that is no token',
    applies: ({ fields, trailers }, fault) =>
      fault.startsWith('HPE_INVALID_HEADER_TOKEN') &&
      [fields, trailers].some((each) => each.some((name, index) => index % 2 === 0 && !TOKEN.test(name))),
  },
  {
    name: 'a chunk extension that a line feed alone ends, which llhttp does not see',
    applies: (_, fault, text) => fault === '' && /[0-9a-f][ \t]*;[^\r\n]*\n/i.test(text),
  },
  {
    name: 'a tab behind chunked, which llhttp takes for a part of the word',
    applies: (_, fault, text) => fault === '' && /\ntransfer-encoding:[^\n]*\t\r?\n/i.test(text),
  },
]

const REQUEST_LINE_FAULT = /^HPE_INVALID_(?:URL|VERSION|CONSTANT)/
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
const FRAMING_FAULT = /^HPE_(?:INVALID|UNEXPECTED)_(?:CONTENT_LENGTH|TRANSFER_ENCODING):/

function isFramingField(text: string, index: number): boolean {
  return index % 2 === 0 && /^(?:content-length|transfer-encoding)$/i.test(text)
}

export function leniencyFor(ours: ReadMessage, fault: string, text: string, strictness: Strictness): Leniency | null {
  const leniencies = strictness === 'Strict' ? LENIENCIES : [...LENIENCIES, ...OF_UNSAFE]
  return leniencies.find((each) => each.applies(ours, fault, text)) ?? null
}
