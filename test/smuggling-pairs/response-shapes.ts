/** A response that two recipients may read differently, or that holds more than one. */
export interface ResponseShape {
  readonly name: string
  /** The rule of RFC 9112, unless another is named. */
  readonly rule: string
  readonly method?: 'HEAD'
  /** latin1 */
  readonly bytes: string
  /** The backend closes the connection after it. */
  readonly closes?: boolean
}

/** The response that a malicious backend wants to be taken for that of another client's request. */
const FORGED = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\nX-Saw: FORGED\r\n\r\nforged'
const OK = 'HTTP/1.1 200 OK\r\n'
const head = (fields: string): string => `${OK}${fields}\r\n\r\n`
const chunked = (body: string, fields = ''): string => `${OK}${fields}Transfer-Encoding: chunked\r\n\r\n${body}`

/** Responses whose end is unclear. */
const LENGTHS: readonly ResponseShape[] = [
  { name: 'more than its length', rule: '6.3', bytes: `${head('Content-Length: 4')}page${FORGED}` },
  { name: 'less than its length', rule: '8', bytes: `${head('Content-Length: 400')}page`, closes: true },
  { name: 'two lengths', rule: '6.3', bytes: `${head('Content-Length: 4\r\nContent-Length: 5')}page${FORGED}` },
  { name: 'the same length twice', rule: '6.3', bytes: `${head('Content-Length: 4\r\nContent-Length: 4')}page` },
  { name: 'two lengths in a list', rule: '6.3', bytes: `${head('Content-Length: 4, 5')}page${FORGED}` },
  { name: 'the same length twice in a list', rule: '6.3', bytes: `${head('Content-Length: 4, 4')}page` },
  ...['+4', '-4', '4x', '0x4', '4.0', '', '99999999999999999999', '4 4', '\x0b4'].map((length) => ({
    name: `a length of ${JSON.stringify(length)}`,
    rule: '6.3',
    bytes: `${head(`Content-Length: ${length}`)}page${FORGED}`,
    closes: true,
  })),
  { name: 'a length and chunks', rule: '6.3', bytes: chunked(`4\r\npage\r\n0\r\n\r\n${FORGED}`, 'Content-Length: 4\r\n') },
  {
    name: 'chunks and a length',
    rule: '6.3',
    bytes: `${head(`Transfer-Encoding: chunked\r\nContent-Length: ${14 + FORGED.length}`)}4\r\npage\r\n0\r\n\r\n${FORGED}`,
  },
  { name: 'more than its chunks', rule: '7.1', bytes: chunked(`4\r\npage\r\n0\r\n\r\n${FORGED}`) },
  { name: 'no last chunk', rule: '8', bytes: chunked('4\r\npage\r\n'), closes: true },
  ...[
    'identity',
    'xchunked',
    'chunked, chunked',
    'chunked, gzip',
    'gzip, chunked',
    '"chunked"',
    'chunked;q=1',
    '\x0bchunked',
    'CHUNKED',
    '',
  ].map((coding) => ({
    name: `the coding ${JSON.stringify(coding)}`,
    rule: '6.3',
    bytes: `${head(`Transfer-Encoding: ${coding}`)}4\r\npage\r\n0\r\n\r\n${FORGED}`,
    closes: true,
  })),
  {
    name: 'chunks of HTTP/1.0',
    rule: '6.1',
    bytes: `HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n4\r\npage\r\n0\r\n\r\n${FORGED}`,
    closes: true,
  },
  ...['-4', '+4', '0x4', '4 ', '4;a', '4;a="\n"', '00000000000000000004', 'ffffffffffffffff4', 'G', ' 4', '4\x0b'].map(
    (size) => ({
      name: `a chunk of the size ${JSON.stringify(size)}`,
      rule: '7.1',
      bytes: chunked(`${size}\r\npage\r\n0\r\n\r\n${FORGED}`),
      closes: true,
    }),
  ),
  { name: 'chunks that end with line feeds', rule: '7.1', bytes: chunked(`4\npage\n0\n\n${FORGED}`), closes: true },
  { name: 'a chunk without its line end', rule: '7.1', bytes: chunked(`4\r\npage0\r\n\r\n${FORGED}`), closes: true },
  { name: 'trailers that frame', rule: '6.5.1 of 9110', bytes: chunked(`4\r\npage\r\n0\r\nContent-Length: 9\r\n\r\n${FORGED}`) },
  { name: 'trailers that are malformed', rule: '7.1.2', bytes: chunked(`4\r\npage\r\n0\r\nno colon\r\n\r\n${FORGED}`) },
]

/** Responses without a body that have one. */
const EMPTY: readonly ResponseShape[] = [
  { name: 'a body after HEAD', rule: '6.3', method: 'HEAD', bytes: `${head(`Content-Length: ${FORGED.length}`)}${FORGED}` },
  { name: 'chunks after HEAD', rule: '6.3', method: 'HEAD', bytes: chunked(`0\r\n\r\n${FORGED}`) },
  { name: 'a body of a 204', rule: '6.3', bytes: `HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\n${FORGED}` },
  {
    name: 'chunks of a 204',
    rule: '6.3',
    bytes: `HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${FORGED}`,
  },
  { name: 'a body of a 304', rule: '6.3', bytes: `HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n${FORGED}` },
  {
    name: '100 with a body',
    rule: '6.3',
    bytes: `HTTP/1.1 100 Continue\r\nContent-Length: 4\r\n\r\npage${FORGED}`,
    closes: true,
  },
  {
    name: '101 that nobody asked for',
    rule: '7.8 of 9110',
    bytes: `HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n${FORGED}`,
  },
  {
    name: 'many interim responses',
    rule: '15.2 of 9110',
    bytes: `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)}${head('Content-Length: 4')}page`,
  },
]

/** Status lines and fields that two recipients read differently. */
const HEADS: readonly ResponseShape[] = [
  ...[
    'HTTP/1.1 200',
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1\t200 OK',
    'HTTP/1.1 200 O\rK',
    'HTTP/1.1 200 O\0K',
    'HTTP/1.1 -20 OK',
    'HTTP/1.1 099 Low',
    'HTTP/1.1 600 High',
    'HTTP/2 200 OK',
    'HTTP/1.10 200 OK',
    'http/1.1 200 OK',
    'ICY 200 OK',
    'garbage',
    '',
  ].map((line) => ({
    name: `the status line ${JSON.stringify(line)}`,
    rule: '4',
    bytes: `${line}\r\nContent-Length: 4\r\n\r\npage`,
    closes: true,
  })),
  ...[
    'X-A: b\rInjected: yes',
    'X-A: b\nInjected: yes',
    'X-A: b\0Injected: yes',
    'X-A : b',
    ' X-A: b',
    'X-A\t: b',
    ': b',
    'no colon',
    'X-A: b\r\n Injected: yes',
    'X A: b',
    'X(A): b',
    'X-\x80: b',
    'X-A: \x01b',
    'Content-Length : 4',
    'Content\rLength: 9',
    'X-A: b\r\n\tfolded',
    'Transfer-Encoding : chunked',
    'Transfer\x00-Encoding: chunked',
    'Connection: Content-Length',
    'Connection: Transfer-Encoding, close',
  ].map((field) => ({
    name: `the field ${JSON.stringify(field)}`,
    rule: '5',
    bytes: `${OK}${field}\r\nContent-Length: 4\r\n\r\npage${FORGED}`,
    closes: true,
  })),
  { name: 'line feeds alone', rule: '2.2', bytes: `HTTP/1.1 200 OK\nContent-Length: 4\n\npage${FORGED}`, closes: true },
  { name: 'an empty line of a line feed', rule: '2.2', bytes: `${OK}Content-Length: 4\r\n\npage${FORGED}`, closes: true },
  { name: 'an empty line first', rule: '2.2', bytes: `\r\n${head('Content-Length: 4')}page`, closes: true },
  { name: 'no end of the head', rule: '8', bytes: `${OK}Content-Length: 4\r\n`, closes: true },
  { name: 'a field of 1 MiB', rule: '5', bytes: head(`X-A: ${'a'.repeat(1 << 20)}\r\nContent-Length: 0`), closes: true },
  { name: '20,000 fields', rule: '5', bytes: head(`${'X-A: b\r\n'.repeat(20_000)}Content-Length: 0`), closes: true },
  { name: 'two responses at once', rule: '9.3', bytes: `${head('Content-Length: 4')}page${FORGED}${FORGED}` },
  { name: 'a response after the last', rule: '9.6', bytes: `${head('Connection: close\r\nContent-Length: 4')}page${FORGED}` },
  { name: 'nothing', rule: '9.5', bytes: '', closes: true },
]

export const RESPONSE_SHAPES: readonly ResponseShape[] = [...LENGTHS, ...EMPTY, ...HEADS]
