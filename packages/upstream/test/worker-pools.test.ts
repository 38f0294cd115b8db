import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import type { UpstreamConnection } from '../src/connection.ts'
import { UpstreamError } from '../src/upstream-error.ts'
import { type ConnectionUse, WorkerPools } from '../src/worker-pools.ts'

/** A request whose client disconnects when `leave` is called. */
function useOf(worker: ConnectionUse['worker']): ConnectionUse & { leave(): void } {
  let gone: () => void = () => undefined
  const whenGone = (listener: () => void): (() => void) => {
    gone = listener
    return () => undefined
  }
  return { worker, settings: { timeout: 60_000 }, request: { whenGone }, leave: () => gone() }
}

async function port(t: Test): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => undefined))
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

function connected(result: UpstreamConnection | UpstreamError): UpstreamConnection {
  if (result instanceof UpstreamError) throw result
  return result
}

t.test('a request stops waiting for a connection when its client disconnects', async (t) => {
  const pools = new WorkerPools({ ttl: 60_000, smax: -1 })
  const target = { host: '127.0.0.1', port: await port(t) }
  const worker = { parameters: { max: 1 } }
  const first = connected(await pools.connect(useOf(worker), target, true))
  const waiting = useOf(worker)
  const result = pools.connect(waiting, target, true)
  waiting.leave()
  t.match(await result, { code: 'acquire-timeout' })
  first.destroy()
  pools.close()
})

t.test('requests of one worker share its connections, and those of another worker do not', async (t) => {
  const pools = new WorkerPools({ ttl: 60_000, smax: -1 })
  const target = { host: '127.0.0.1', port: await port(t) }
  const [one, other] = [{ parameters: {} }, { parameters: {} }]
  const first = connected(await pools.connect(useOf(one), target, true))
  first.release()
  const elsewhere = connected(await pools.connect(useOf(other), target, true))
  const single = connected(await pools.connect(useOf(one), target, false))
  t.equal(new Set([first, elsewhere, single]).size, 3)
  t.equal(await pools.connect(useOf(one), target, true), first)
  for (const connection of [first, elsewhere, single]) connection.destroy()
  pools.close()
})
