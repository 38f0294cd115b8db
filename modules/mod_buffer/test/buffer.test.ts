import { DECLINED, defineModule } from '@gatewright/api'
import { configError, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { fullBuffers } from '../src/full-buffers.ts'
import buffer from '../src/index.ts'

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

t.test('pieces have the size of the buffer, however the source wrote them', async (t) => {
  const sizes = async (size: number, ...texts: readonly string[]): Promise<string[]> => {
    const found: string[] = []
    for await (const piece of fullBuffers(chunks(...texts), size)) found.push(Buffer.from(piece).toString())
    return found
  }
  t.strictSame(await sizes(3, 'a', 'bcdefg', '', 'h'), ['abc', 'def', 'gh'])
  t.strictSame(await sizes(3, 'abc', 'def'), ['abc', 'def'])
  t.strictSame(await sizes(3), [])
})

t.test('a response that fits into the buffer has a length', async (t) => {
  const streaming = defineModule({
    name: 'streaming_module',
    source: 'mod_streaming.c',
    register: ({ hooks }) =>
      hooks.handler.add((request) => (request.handler === 'streaming' ? request.respond(chunks('12', '345')) : DECLINED)),
  })
  const config = `SetHandler streaming
SetOutputFilter BUFFER
<Location /small>
BufferSize 4
</Location>`
  const server = await site({ modules: [authzCore, buffer, streaming], config })
  t.teardown(() => server.close())
  const whole = await server.inject('/')
  t.equal(whole.body, '12345')
  t.equal(whole.header('Content-Length'), '5')
  const parts = await server.inject('/small')
  t.equal(parts.body, '12345')
  t.equal(parts.header('Content-Length'), undefined)
})

t.test('a size is a number above zero, in a section', async (t) => {
  const refusal = (config: string) => configError({ modules: [buffer], config })
  t.equal(await refusal('<Location />\nBufferSize 0\n</Location>'), 'BufferSize must be a size in bytes, and greater than zero')
  t.equal(await refusal('<Location />\nBufferSize 1k\n</Location>'), 'BufferSize must be a size in bytes, and greater than zero')
})
