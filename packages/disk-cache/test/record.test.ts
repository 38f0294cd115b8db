import t from 'tap'
import {
  commonKeyOf,
  decodeRecord,
  encodeRecord,
  headFile,
  newBodyName,
  Places,
  type StoredRecord,
  urlOf,
  variantKey,
} from '../src/index.ts'

const URL_KEY = 'www.example.com:80 *:80\nhttp://www.example.com:80/a\xe9?'
const RESPONSE: StoredRecord = {
  kind: 'response',
  key: URL_KEY,
  head: {
    status: 200,
    fields: [['Vary', 'Accept']],
    requestFields: [],
    date: 1,
    expires: 2,
    requestTime: 3,
    responseTime: 4,
    headerOnly: false,
  },
  body: { name: newBodyName('/cache/ab/cd/efghijklmnopqrstuvwxyz'), size: 5 },
}
const LIST = { kind: 'vary', key: URL_KEY, names: ['accept', 'cookie'], generation: 'first' } as const

t.test('a record is read as it was written', async (t) => {
  for (const record of [RESPONSE, LIST]) t.strictSame(decodeRecord(encodeRecord(record)), record)
})

t.test('a record of which any byte is missing or changed is not read', async (t) => {
  const bytes = encodeRecord(RESPONSE)
  for (let at = 0; at < bytes.length - 1; at++) {
    t.equal(decodeRecord(bytes.subarray(0, at)), null, `without the bytes from ${at}`)
    const changed = Buffer.from(bytes)
    changed[at] ^= 1
    t.equal(decodeRecord(changed), null, `with another byte ${at}`)
  }
})

t.test('variants have keys of their own, which name their URL', async (t) => {
  const keys = [
    variantKey(LIST, [['Accept', 'text/html']]),
    variantKey(LIST, [['Cookie', 'text/html']]),
    variantKey(LIST, []),
    variantKey({ ...LIST, generation: 'second' }, []),
  ]
  t.equal(new Set(keys).size, keys.length)
  for (const key of [...keys, URL_KEY]) t.equal(commonKeyOf(key), URL_KEY)
  t.equal(urlOf(URL_KEY), 'http://www.example.com:80/a\xe9?')
})

t.test('the folders of a key follow the levels and lengths of the configuration', async (t) => {
  const path = new Places('/cache', 3, 1).of(URL_KEY)
  t.match(headFile(path), /^\/cache\/[\w@]\/[\w@]\/[\w@]\/[\w@]{40}\.header$/)
  t.match(new Places('/cache', 0, 1).of(URL_KEY), /^\/cache\/[\w@]{43}$/)
})
