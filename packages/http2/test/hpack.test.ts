import t from 'tap'
import { ByteWriter } from '../src/byte-writer.ts'
import { decodeHuffman, encodeHuffman, HpackDecoder, HpackEncoder } from '../src/hpack/index.ts'

type Field = readonly [name: string, value: string]

function decode(decoder: HpackDecoder, hex: string): Field[] | null {
  const fields: Field[] = []
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex')
  return decoder.decode(bytes, 0, bytes.length, { field: (name, value) => fields.push([name, value]) }) ? fields : null
}

t.test('the requests of RFC 7541 appendix C.3 and C.4 are decoded, plain and in the Huffman code', (t) => {
  const first = [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':path', '/'],
    [':authority', 'www.example.com'],
  ]
  const second = [...first, ['cache-control', 'no-cache']]
  const third = [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/index.html'],
    [':authority', 'www.example.com'],
    ['custom-key', 'custom-value'],
  ]
  for (const blocks of [
    [
      '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '8286 84be 5808 6e6f 2d63 6163 6865',
      '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    ],
    [
      '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      '8286 84be 5886 a8eb 1064 9cbf',
      '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
    ],
  ]) {
    const decoder = new HpackDecoder()
    t.same(decode(decoder, blocks[0]), first)
    t.same(decode(decoder, blocks[1]), second)
    t.same(decode(decoder, blocks[2]), third)
    t.equal(decoder.tableSize, 164)
  }
  t.end()
})

t.test('the responses of RFC 7541 appendix C.6 are decoded with a table of 256 bytes, which evicts', (t) => {
  const decoder = new HpackDecoder(256)
  const blocks = [
    '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
    '4883 640e ffc1 c0bf',
    '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
  ]
  t.same(decode(decoder, blocks[0])?.[0], [':status', '302'])
  t.same(
    decode(decoder, blocks[1])?.map(([, value]) => value),
    ['307', 'private', 'Mon, 21 Oct 2013 20:13:21 GMT', 'https://www.example.com'],
  )
  t.same(decode(decoder, blocks[2])?.at(-1), ['set-cookie', 'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1'])
  t.equal(decoder.tableSize, 215)
  t.end()
})

t.test('blocks that break the rules are errors', (t) => {
  const bad = {
    'index 0': '80',
    'an index beyond both tables': 'be',
    'a number without end': 'ffffffffffffffff',
    'a text longer than the block': '00 05 61',
    'a literal without a value': '00 01 61',
    'a table larger than allowed': '3fe2 1f',
    'a size after a field': '82 20',
    'the symbol EOS in a text': '00 84 ffffffff 01 61',
    'padding of a whole byte': '00 82 1fff 01 61',
    'padding with zeros': '00 81 18 01 61',
  }
  for (const [what, hex] of Object.entries(bad)) t.equal(decode(new HpackDecoder(), hex), null, what)
  t.end()
})

t.test('every text survives the Huffman code', (t) => {
  let all = ''
  for (let code = 0; code < 256; code++) {
    all += String.fromCharCode(code)
    const bytes = encodeHuffman(all)
    if (decodeHuffman(bytes, 0, bytes.length) !== all) t.fail(`${code + 1} symbols`)
  }
  t.end()
})

t.test('what the encoder writes is decoded to the same fields, whatever the sizes of the table', (t) => {
  const encoder = new HpackEncoder()
  const decoder = new HpackDecoder()
  let seed = 7
  const random = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % limit
  }
  for (let round = 0; round < 400; round++) {
    if (random(20) === 0) encoder.limit(random(5000))
    const fields: Field[] = [[':status', String(200 + random(3))]]
    for (let i = random(12); i > 0; i--) fields.push([`x-${random(30)}`, 'v'.repeat(random(3) === 0 ? random(900) : random(9))])
    if (random(2) === 0) fields.push(['set-cookie', `a=${random(9)}`], ['date', `now ${random(4)}`])
    const block = new ByteWriter()
    encoder.begin(block)
    for (const [name, value] of fields) encoder.field(block, name, value)
    t.same(decode(decoder, block.bytes.toString('hex')), fields, `round ${round}`)
  }
  t.end()
})

t.test('a block of small references to a large entry needs no memory of its own', (t) => {
  const decoder = new HpackDecoder()
  const large = 'x'.repeat(4000)
  t.ok(decode(decoder, `40 01 61 7f a1 1e ${Buffer.from(large).toString('hex')}`))
  let count = 0
  const bomb = Buffer.alloc(60_000, 0xbe)
  const isDecoded = decoder.decode(bomb, 0, bomb.length, {
    field: (_name, value) => {
      count++
      if (value.length !== 4000) throw new Error('another value')
    },
  })
  t.ok(isDecoded)
  t.equal(count, 60_000)
  t.ok(decoder.tableSize <= 4096)
  t.end()
})
