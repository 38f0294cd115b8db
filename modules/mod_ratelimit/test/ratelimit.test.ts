import { rawExchange, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import env from '../../mod_env/src/index.ts'
import ratelimit from '../src/index.ts'

const modules = [authzCore, env, ratelimit]
const SIZE = 300_000

t.test('a response at a limited rate has its length, and ranges of it are sent', async (t) => {
  const text = Array.from({ length: SIZE / 10 }, (_, index) => String(index).padStart(10, '0')).join('')
  const config = 'SetOutputFilter RATE_LIMIT\nSetEnv rate-limit 1000\nSetEnv rate-initial-burst 100'
  const server = await site({ modules, config, files: { 'docs/f.txt': text } })
  t.teardown(() => server.close())
  const port = await server.listen()
  const ask = async (range: string) => {
    const response = await rawExchange(port, `GET /f.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${range}\r\n`)
    const end = response.indexOf('\r\n\r\n')
    return { head: response.slice(0, end), body: response.slice(end + 4) }
  }
  const whole = await ask('')
  t.match(whole.head, new RegExp(`^HTTP/1.1 200 OK(?:.|\r|\n)*Content-Length: ${SIZE}\r\n`))
  t.equal(whole.body, text)
  const part = await ask('Range: bytes=200005-200014\r\n')
  t.match(part.head, /^HTTP\/1.1 206 Partial Content(?:.|\r|\n)*Content-Range: bytes 200005-200014\/300000/)
  t.equal(part.body, text.slice(200_005, 200_015))
  const parts = await ask('Range: bytes=0-4,200005-200014\r\n')
  t.match(parts.body, text.slice(200_005, 200_015))
})

t.test('without a rate, or with one that is no number, a response is sent as it is', async (t) => {
  const config = 'SetOutputFilter RATE_LIMIT\n<Location /bad>\nSetEnv rate-limit abc\n</Location>'
  const server = await site({ modules, config, files: { 'docs/f.txt': 'text', 'docs/bad/f.txt': 'text' } })
  t.teardown(() => server.close())
  for (const target of ['/f.txt', '/bad/f.txt']) t.match(await server.inject(target), { status: 200, body: 'text' })
})

t.test('the pause between two shares lasts, so that a client gets no more than the rate', async (t) => {
  const config = 'SetOutputFilter RATE_LIMIT\nSetEnv rate-limit 100'
  const server = await site({ modules, config, files: { 'docs/f.txt': 'x'.repeat(61_440) } })
  t.teardown(() => server.close())
  const port = await server.listen()
  const begun = performance.now()
  const response = await rawExchange(port, 'GET /f.txt HTTP/1.0\r\n\r\n')
  // Three shares of a fifth of 100 KiB, with two pauses: a slow machine only takes longer.
  t.ok(performance.now() - begun >= 390)
  t.ok(response.endsWith('x'.repeat(61_440)))
})
