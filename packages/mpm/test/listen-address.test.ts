import t from 'tap'
import { addressText, attempts, clash, listenAddresses } from '../src/sockets/listen-address.ts'

const addresses = (...texts: string[]) => listenAddresses(texts.map((text) => ({ address: text, port: 80, protocol: 'http' })))

t.test('an address is written as in a URL', (t) => {
  t.equal(addressText({ address: '127.0.0.1', port: 80 }), '127.0.0.1:80')
  t.equal(addressText({ address: '::1', port: 8080 }), '[::1]:8080')
  t.end()
})

t.test('an address for all is tried for both families, then for IPv4', (t) => {
  t.strictSame(attempts({ address: '*', port: 80 }).map(addressText), ['[::]:80', '0.0.0.0:80'])
  t.strictSame(attempts({ address: '0.0.0.0', port: 80 }).map(addressText), ['0.0.0.0:80'])
  t.end()
})

t.test('lines for all addresses that an earlier one covers are left out', (t) => {
  t.strictSame(addresses('*', '0.0.0.0', '::').map(addressText), ['*:80'])
  t.strictSame(addresses('0.0.0.0', '0.0.0.0').map(addressText), ['0.0.0.0:80'])
  t.strictSame(addresses('127.0.0.1', '::1').map(addressText), ['127.0.0.1:80', '[::1]:80'])
  t.end()
})

t.test('one line for all addresses and one for a single address clash', (t) => {
  t.strictSame(clash(addresses('*', '127.0.0.1')), { address: '127.0.0.1', port: 80 })
  t.strictSame(clash(addresses('127.0.0.1', '*')), { address: '*', port: 80 })
  t.strictSame(clash(addresses('0.0.0.0', '10.0.0.1')), { address: '10.0.0.1', port: 80 })
  t.equal(clash(addresses('0.0.0.0', '::1')), undefined)
  t.equal(
    clash([
      { address: '*', port: 80 },
      { address: '127.0.0.1', port: 81 },
    ]),
    undefined,
  )
  t.end()
})
