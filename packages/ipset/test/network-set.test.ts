import { cpuStopwatch } from '@gatewright/testing'
import fc from 'fast-check'
import t from 'tap'
import {
  type Address,
  compileNetworks,
  isNetworkError,
  matchesNetwork,
  type Network,
  parseAddress,
  parseNetwork,
} from '../src/index.ts'

function network(text: string): Network {
  const parsed = parseNetwork(text)
  if (isNetworkError(parsed)) throw new Error(`${text}: ${parsed.message}`)
  return parsed
}

function address(text: string): Address {
  const parsed = parseAddress(text)
  if (parsed === undefined) throw new Error(`no address: ${text}`)
  return parsed
}

const quad = (bits: number): string => [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join('.')
const groups = (words: readonly number[]): string => words.map((word) => word.toString(16)).join(':')

// Few different numbers, so that networks overlap, nest, repeat and touch, and addresses are on their
// borders.
const nearby = fc.oneof(
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0x0a000000, 0x0a0000ff, 0xfffffffe, 0xffffffff),
  fc.nat({ max: 0xffffffff }),
)
const group = fc.constantFrom(0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x2001)
const ipv4Text = nearby.map(quad)
// The first group excludes IPv4-mapped addresses, which the configuration rejects.
const ipv6Text = fc.tuple(fc.constantFrom(1, 0x8000, 0x2001, 0xffff), ...Array.from({ length: 7 }, () => group)).map(groups)
const networkText = fc.oneof(
  ipv4Text,
  fc.tuple(ipv4Text, fc.integer({ min: 1, max: 32 })).map(([text, length]) => `${text}/${length}`),
  fc.tuple(ipv4Text, nearby).map(([text, mask]) => `${text}/${quad(mask)}`),
  fc.constantFrom('10', '10.0.', '127.0.0', '0', '255'),
  ipv6Text,
  fc.tuple(ipv6Text, fc.integer({ min: 1, max: 128 })).map(([text, length]) => `${text}/${length}`),
)

t.test('a compiled set agrees with asking every network in turn', async (t) => {
  let hits = 0
  let misses = 0
  fc.assert(
    fc.property(
      fc.array(networkText, { maxLength: 30 }),
      fc.array(fc.oneof(ipv4Text, ipv6Text), { minLength: 1, maxLength: 30 }),
      (texts, clients) => {
        const networks = texts.map(network)
        const set = compileNetworks(networks)
        // The networks' own first addresses are clients too; otherwise most IPv6 networks would never match.
        for (const client of [...clients.map(address), ...networks.map((one) => one.address)]) {
          const expected = networks.some((one) => matchesNetwork(one, client))
          expected ? hits++ : misses++
          if (set.has(client) !== expected) return false
        }
        return true
      },
    ),
    { numRuns: 1000 },
  )
  t.ok(hits > 1000, `${hits} hits`)
  t.ok(misses > 1000, `${misses} misses`)
})

t.test('an empty set has no address', async (t) => {
  const set = compileNetworks([])
  t.notOk(set.has(address('0.0.0.0')))
  t.notOk(set.has(address('::')))
})

t.test('a network inside a wider one neither hides nor shortens it', async (t) => {
  const set = compileNetworks(
    ['10.0.0.0/24', '10.0.0.0/8', '10.255.255.255', '2001:db8::/64', '2001:db8::/32', '2001:db8:ffff::1'].map(network),
  )
  for (const text of [
    '10.0.0.0',
    '10.0.1.0',
    '10.255.255.255',
    '2001:db8::',
    '2001:db8:1::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  ]) {
    t.ok(set.has(address(text)), text)
  }
  for (const text of ['9.255.255.255', '11.0.0.0', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'])
    t.notOk(set.has(address(text)), text)
})

t.test('an address of one family is in no network of the other', async (t) => {
  const everyIpv4 = compileNetworks([network('0.0.0.0/0.0.0.0')])
  t.ok(everyIpv4.has(address('::ffff:1.2.3.4')))
  t.notOk(everyIpv4.has(address('::1.2.3.4')))
  const lowIpv6 = compileNetworks([network('::/1')])
  t.notOk(lowIpv6.has(address('0.0.0.1')))
})

t.test('a mask with holes is compared bit by bit beside the ranges', async (t) => {
  const set = compileNetworks([network('10.0.0.0/255.0.255.0'), network('192.0.2.0/24'), network('127.0.0.4/127.0.0.4')])
  for (const text of ['10.77.0.9', '192.0.2.200', '255.255.255.255', '127.1.2.7']) t.ok(set.has(address(text)), text)
  for (const text of ['10.0.1.0', '192.0.3.0', '127.0.0.3']) t.notOk(set.has(address(text)), text)
})

t.test('a look-up in ten thousand networks takes about as long as in one', async (t) => {
  const many = compileNetworks(Array.from({ length: 10_000 }, (_, index) => network(`${quad(0x0a000000 + index * 512)}/24`)))
  const one = compileNetworks([network('10.0.0.0/24')])
  const clients = Array.from({ length: 1000 }, (_, index) => address(quad(0x0a000000 + index * 5120 + 7)))
  const time = (set: typeof one): number => {
    const spent = cpuStopwatch()
    for (let index = 0; index < 400_000; index++) set.has(clients[index % 1000])
    return spent()
  }
  t.ok(clients.every((client) => many.has(client)))
  const [single, crowd] = [time(one), time(many)]
  // A loop over 10,000 networks would be thousands of times slower; a binary search has some ten steps.
  // Systems count time in ticks of some milliseconds.
  t.ok(crowd <= Math.max(single, 10) * 100, `400,000 look-ups: ${single} ms with one network, ${crowd} ms with 10,000`)
})
