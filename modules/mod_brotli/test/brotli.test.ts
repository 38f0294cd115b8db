import { brotliDecompressSync } from 'node:zlib'
import { configError, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import deflate from '../../mod_deflate/src/index.ts'
import brotli from '../src/index.ts'

const modules = [authzCore, brotli, deflate]
const TEXT = 'a text that is worth compressing. '.repeat(30)
const decoded = (body: string): string => brotliDecompressSync(Buffer.from(body, 'latin1')).toString('latin1')

t.test('a response is compressed for a client that accepts br, and its fields show it', async (t) => {
  const server = await site({ modules, config: 'SetOutputFilter BROTLI_COMPRESS', files: { 'docs/f.txt': TEXT, 'docs/e': '' } })
  t.teardown(() => server.close())
  const ask = (target: string, coding: string) => server.inject({ target, headers: { 'Accept-Encoding': coding } })
  const plain = await ask('/f.txt', 'br;q=0, gzip')
  t.match(plain, { status: 200, body: TEXT })
  t.equal(plain.header('Vary'), 'Accept-Encoding')
  const packed = await ask('/f.txt', 'gzip, br')
  t.equal(decoded(packed.body), TEXT)
  t.equal(packed.header('Content-Encoding'), 'br')
  t.equal(packed.header('Content-Length'), String(packed.body.length))
  t.equal(packed.header('ETag'), plain.header('ETag')?.replace(/"$/, '-br"'))
  t.equal((await ask('/f.txt', 'br')).body, packed.body, 'the second time as the first')
  t.equal(decoded((await ask('/e', 'br')).body), '', 'an empty file too')
})

t.test('a 304 has the tag of the compressed response', async (t) => {
  const server = await site({ modules, config: 'SetOutputFilter BROTLI_COMPRESS', files: { 'docs/f.txt': TEXT } })
  t.teardown(() => server.close())
  const tag = (await server.inject('/f.txt')).header('ETag') ?? ''
  const again = await server.inject({ target: '/f.txt', headers: { 'Accept-Encoding': 'br', 'If-None-Match': tag } })
  t.equal(again.status, 304)
  t.equal(again.header('ETag'), tag.replace(/"$/, '-br"'))
})

t.test('the first compression that the client accepts is the only one', async (t) => {
  const config = 'SetOutputFilter BROTLI_COMPRESS;DEFLATE'
  const server = await site({ modules, config, files: { 'docs/f.txt': TEXT } })
  t.teardown(() => server.close())
  const coding = async (accepted: string) =>
    (await server.inject({ target: '/f.txt', headers: { 'Accept-Encoding': accepted } })).header('Content-Encoding')
  t.equal(await coding('gzip, br'), 'br')
  t.equal(await coding('gzip'), 'gzip')
})

t.test('wrong values are refused', async (t) => {
  const refusal = (line: string) => configError({ modules, config: line })
  t.equal(await refusal('BrotliCompressionQuality 12'), 'BrotliCompressionQuality must be between 0 and 11')
  t.equal(await refusal('BrotliCompressionWindow 9'), 'BrotliCompressionWindow must be between 10 and 24')
  t.equal(await refusal('BrotliCompressionMaxInputBlock 15'), 'BrotliCompressionMaxInputBlock must be between 16 and 24')
})
