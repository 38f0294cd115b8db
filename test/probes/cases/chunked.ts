import { chunked, FRAMED } from '../message.ts'
import type { Outcome, Probe } from '../probe.ts'

/**
 * 9112 section 8: a message that cannot be decoded is incomplete. The server may give any answer, but must
 * close the connection.
 */
const ENDED: readonly Outcome[] = [
  { answers: [{}], fate: 'closed' },
  { answers: [], fate: 'closed' },
]
const LAST = '0\r\n\r\n'

/** RFC 9112 section 7.1: the chunked coding. */
export const CHUNKED: readonly Probe[] = [
  decoded('plain', '9112 7.1', 'chunks are decoded', [chunked('5\r\n12345\r\n', '3\r\n678\r\n', LAST)]),
  decoded('in-pieces', '9112 7.1', 'chunks that come octet by octet are decoded', [
    chunked(),
    ...`5\r\n12345\r\n3\r\n678\r\n${LAST}`,
  ]),
  decoded('empty', '9112 7.1', 'a body of the last chunk alone is empty', [chunked(LAST)]),
  decoded('upper-case', '9112 7.1', 'sizes are hexadecimal in upper and lower case', [
    chunked('A\r\n1234567890\r\n', 'a\r\n1234567890\r\n', LAST),
  ]),
  decoded('leading-zeros', '9112 7.1', 'a size may begin with zeros', [chunked('0005\r\n12345\r\n', '000\r\n\r\n')]),
  decoded('extension', '9112 7.1.1', 'unknown extensions are ignored', [chunked('5;name=value\r\n12345\r\n', '0;last\r\n\r\n')]),
  decoded('extension-quoted', '9112 7.1.1', 'an extension may be a quoted string', [
    chunked('5;name="a;b \\" c"\r\n12345\r\n', LAST),
  ]),
  decoded('trailer', '9112 7.1.2', 'fields behind the last chunk are read', [
    chunked('5\r\n12345\r\n', '0\r\nX-Test: 1\r\nX-Other: 2\r\n\r\n'),
  ]),
  decoded('trailer-with-framing', '9110 6.5.1', 'a Content-Length behind the last chunk has no effect', [
    chunked('5\r\n12345\r\n', '0\r\nContent-Length: 40\r\nHost: other.example\r\n\r\n'),
  ]),
  ended('size-prefix', 'a size that begins with 0x', '0x5\r\n12345\r\n'),
  ended('size-underscore', 'a size with an underscore', '0_5\r\n12345\r\n'),
  ended('size-negative', 'a negative size', '-5\r\n12345\r\n'),
  ended('size-plus', 'a size with a sign', '+5\r\n12345\r\n'),
  ended('size-letters', 'a size that is no number', 'five\r\n12345\r\n'),
  ended('size-empty', 'an empty size', '\r\n12345\r\n'),
  ended('size-overflow', 'a size beyond 64 bits', '10000000000000005\r\n12345\r\n'),
  ended('size-bare-cr', 'a size that ends with a bare CR', '5\r12345\r\n'),
  ended('data-too-long', 'a chunk that is longer than it says', '5\r\n1234567\r\n'),
  ended('data-without-end', 'a chunk without a line end', `5\r\n12345${LAST}`),
  ended('extension-nul', 'an extension with a NUL in it', '5;a\0b\r\n12345\r\n'),
  ended('extension-bare-cr', 'an extension with a bare CR in it', '5;a\rb\r\n12345\r\n'),
  {
    id: 'chunked/bad-size-is-400',
    section: '9112 2.2',
    level: 'SHOULD',
    title: 'a size that is no number is answered 400',
    sends: [chunked('five\r\n12345\r\n', LAST)],
    outcomes: [{ answers: [{ status: [400] }], fate: 'closed' }],
  },
  {
    id: 'chunked/extension-without-end',
    section: '9112 7.1.1',
    level: 'SHOULD',
    title: 'the length of extensions is limited',
    sends: [chunked(`5;${'x'.repeat(100_000)}\r\n12345\r\n`, LAST)],
    outcomes: ENDED,
  },
  {
    id: 'chunked/trailer-without-end',
    section: '9110 5.4',
    level: 'MUST',
    title: 'a trailer that is too large is answered with a client error, or the connection ends',
    sends: [chunked('5\r\n12345\r\n', `0\r\nX-Test: ${'x'.repeat(100_000)}\r\n\r\n`)],
    outcomes: [...ENDED, { answers: [{ status: ['4xx'] }] }],
  },
]

function decoded(id: string, section: string, title: string, sends: readonly string[]): Probe {
  return { id: `chunked/${id}`, section, level: 'MUST', title, sends, outcomes: FRAMED }
}

function ended(id: string, what: string, chunk: string): Probe {
  return {
    id: `chunked/${id}`,
    section: '9112 8',
    level: 'MUST',
    title: `${what} makes the body incomplete, and the connection ends`,
    sends: [chunked(chunk, LAST)],
    outcomes: ENDED,
  }
}
