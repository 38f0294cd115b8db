import t from 'tap'
import { localEnd } from '../src/local-end.ts'

const ONE = [{ address: '*', port: 8430, protocol: 'http' }]
const TWO = [...ONE, { address: '127.0.0.2', port: 8431, protocol: 'http' }]
const OPEN = { address: null, port: null, isPortWritten: false, client: '192.0.2.1' }

t.test('a question without a port uses the first listening port, with a note if there are others', (t) => {
  t.strictSame(localEnd(ONE, OPEN), { address: '127.0.0.1', port: 8430, note: '' })
  t.match(localEnd(TWO, OPEN), {
    port: 8430,
    note: 'port 8430 is the first of the ports 8430 and 8431 that the server listens on',
  })
  t.match(localEnd([], OPEN), { port: 80, note: '' })
  t.end()
})

t.test('the port of a scheme without a listener is replaced by the only port, with a note, and never by one of several', (t) => {
  const plain = { ...OPEN, port: 80 }
  t.strictSame(localEnd(ONE, plain), {
    address: '127.0.0.1',
    port: 8430,
    note: 'no Listen line has port 80: the request comes to port 8430, the only one that the server listens on',
  })
  t.strictSame(localEnd(TWO, plain), {
    complaint: 'no Listen line has port 80: the server listens on 8430 and 8431. Specify the port to which the client connects',
  })
  t.end()
})

t.test('a port that is written is taken when it is listened on, and is complained of when it is not', (t) => {
  t.match(localEnd(TWO, { ...OPEN, port: 8431, isPortWritten: true }), { port: 8431, note: '' })
  t.match(localEnd(ONE, { ...OPEN, port: 9999, isPortWritten: true }), { complaint: /no Listen line has port 9999/ })
  t.end()
})

t.test('the client connects to a listening address', (t) => {
  t.match(localEnd(TWO, { ...OPEN, port: 8431, isPortWritten: true }), { address: '127.0.0.2' })
  t.match(localEnd(TWO, { ...OPEN, port: 8430, client: '2001:db8::1' }), { address: '::1' })
  t.match(localEnd(ONE, { ...OPEN, address: '127.0.0.9' }), { address: '127.0.0.9' })
  t.end()
})
