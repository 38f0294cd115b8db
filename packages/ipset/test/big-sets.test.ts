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

/** Numbers below `below`, the same in every run. */
type Random = (below: number) => number

function seeded(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const quad = (bits: number): string => [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join('.')
const hex = (words: readonly number[]): string =>
  words.map((word) => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`).join(':')

/** Every form in configurations, in a range small enough for networks to nest, touch and repeat. */
const FORMS: readonly ((random: Random) => string)[] = [
  (random) => quad(0x0a000000 + random(1 << 16)),
  (random) => `${quad(0x0a000000 + random(1 << 16))}/${20 + random(13)}`,
  (random) => `${quad(0x0a000000 + random(1 << 16))}/${quad((-1 << random(12)) >>> 0)}`,
  (random) => `10.0.${random(256)}`,
  (random) => `10.1.${random(256)}.`,
  (random) => `${quad(random(2 ** 32))}/${8 + random(25)}`,
  (random) => hex([0x20010db8, 0, 0, random(1 << 16)]),
  (random) => `${hex([0x20010db8, 0, random(4), random(1 << 16)])}/${90 + random(39)}`,
  (random) => `2001:db8:${random(16).toString(16)}::/${44 + random(8)}`,
]

const WITH_HOLES: readonly ((random: Random) => string)[] = [
  (random) => `10.${random(256)}.0.${random(256)}/255.${random(256)}.0.255`,
  (random) => `${quad(random(2 ** 32))}/${quad((random(2 ** 32) | 0xf0000000) >>> 0)}`,
]

function network(text: string): Network {
  const parsed = parseNetwork(text)
  if (isNetworkError(parsed)) throw new Error(`${text}: ${parsed.message}`)
  return parsed
}

/** The first and the last address of a network, and their neighbours. */
function borders({ address, mask }: Network): Address[] {
  const last = [address.w0 | ~mask.w0, address.w1 | ~mask.w1, address.w2 | ~mask.w2, address.w3 | ~mask.w3].map(
    (word) => word >>> 0,
  )
  const first = [address.w0, address.w1, address.w2, address.w3]
  const words = address.family === 4 ? 1 : 4
  const ends = [first, last].map((end) => end.slice(0, words))
  return [...ends, shifted(ends[0], -1), shifted(ends[1], 1)].map((end) => {
    const parsed = parseAddress(words === 1 ? quad(end[0]) : hex(end))
    if (parsed === undefined) throw new Error(`no address: ${end.join()}`)
    return parsed
  })
}

/** A number of 32-bit digits plus or minus one, modulo its range. */
function shifted(words: readonly number[], by: 1 | -1): number[] {
  const result = [...words]
  for (let index = result.length - 1; index >= 0; index--) {
    result[index] = (result[index] + by) >>> 0
    if (result[index] !== (by === 1 ? 0 : 0xffffffff)) break
  }
  return result
}

for (const [name, forms] of [
  ['networks', FORMS],
  ['networks with holes in their masks among others', [...FORMS, ...WITH_HOLES]],
] as const) {
  t.test(`a set of many ${name} agrees with asking each in turn, at every border`, async (t) => {
    let [hits, misses] = [0, 0]
    for (const [seed, count] of [
      [1, 1],
      [2, 7],
      [3, 60],
      [4, 400],
    ]) {
      for (let round = 0; round < 10; round++) {
        const random = seeded(1000 * seed + round)
        const texts = Array.from({ length: count }, () => forms[random(forms.length)](random))
        const all = texts.map(network)
        const set = compileNetworks(all)
        // Testing all of them would take long, so some of the borders represent the others.
        for (const client of all.slice(0, 100).flatMap(borders)) {
          const expected = all.some((one) => matchesNetwork(one, client))
          expected ? hits++ : misses++
          if (set.has(client) !== expected) t.fail(`${JSON.stringify(client)} in ${texts.join(' ')}`)
        }
      }
    }
    t.ok(hits > 2000, `${hits} hits`)
    t.ok(misses > 500, `${misses} misses`)
  })
}

t.test('a hundred thousand networks are one set', async (t) => {
  const all = Array.from({ length: 100_000 }, (_, index) => network(`${quad(0x0a000000 + index * 512)}/24`))
  const set = compileNetworks(all)
  const wrong = all.filter((one) => {
    const [first, last, before, behind] = borders(one)
    return !set.has(first) || !set.has(last) || set.has(before) || set.has(behind)
  })
  t.same(wrong, [])
})
