import t from 'tap'
import { clientGroup } from '../src/client-group.ts'

t.test('each IPv4 address is a client', async (t) => {
  t.equal(clientGroup('192.0.2.1'), '192.0.2.1')
  t.not(clientGroup('192.0.2.1'), clientGroup('192.0.2.2'))
})

t.test('the addresses of an IPv6 network of 64 bits are one client, however they are written', async (t) => {
  for (const [address, network] of [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['::1:2:3:4:192.0.2.1', '0:0:1:2::/64'],
  ] as const)
    t.equal(clientGroup(address), network, address)
})

t.test('clients without an address form a separate group', async (t) => {
  t.equal(clientGroup(''), '')
})
