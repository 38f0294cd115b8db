import { createServer, type Server, type Socket } from 'node:net'
import t from 'tap'
import { CATALOGUE } from './probes/catalogue.ts'
import { converse } from './probes/conversation.ts'
import { isPassed, tell } from './probes/judge.ts'
import type { Probe } from './probes/probe.ts'
import { probedSite } from './probes/probed-site.ts'
import { probe } from './probes/probing.ts'
import { RECORDED_HTTPD } from './probes/recorded-httpd.ts'
import { gatewright } from './probes/servers/gatewright.ts'
import { complaints } from './probes/verdict.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\nabcdefghijklmnopqrstuvwxyz'
const NEXT = 'HTTP/1.1 200 OK\r\nContent-Length: 16\r\nConnection: close\r\n\r\nthe next answer\n'

t.test('we keep every MUST of RFC 9110 and RFC 9112 unless recorded answers of httpd differ', async (t) => {
  const site = probedSite()
  t.teardown(() => site.remove())
  const results = await probe(gatewright, site, CATALOGUE)
  t.equal(results.length, CATALOGUE.length)
  t.strictSame(complaints(results, undefined, RECORDED_HTTPD), [])
})

t.test('each probe has a unique id, a section, and an outcome that some answers fail', async (t) => {
  t.equal(new Set(CATALOGUE.map(({ id }) => id)).size, CATALOGUE.length)
  t.ok(CATALOGUE.length >= 250, `${CATALOGUE.length} probes`)
  for (const one of CATALOGUE) {
    t.match(one.section, /^911[02] ([A-F]|\d+)(\.\d+)*$/, one.id)
    t.notOk(isPassed(one, { answers: [], continues: 0, fate: 'silent' }), `${one.id}: silence is no outcome`)
    t.notOk(isPassed(one, { answers: [], continues: 0, fate: 'astray' }), `${one.id}: nonsense is no outcome`)
  }
})

t.test('a server that answers everything alike fails most probes', async (t) => {
  const port = await serverThat(t, (socket) => socket.once('data', () => socket.end(OK)))
  const some = CATALOGUE.filter(({ id }) => id.startsWith('framing/'))
  const came = await Promise.all(some.map(async (one) => isPassed(one, await converse(one, options(port)))))
  t.ok(came.filter(Boolean).length < some.length / 2)
})

t.test('a body that is read as a request is detected', async (t) => {
  const wanted = named('framing/get-with-body')
  const honest = await serverThat(t, answering([OK, NEXT]))
  const smuggled = await serverThat(t, answering([OK + OK, NEXT]))
  t.ok(isPassed(wanted, await converse(wanted, options(honest))))
  const came = await converse(wanted, options(smuggled))
  t.equal(tell(came), '200 astray')
  t.notOk(isPassed(wanted, came))
})

t.test('content in the answer to HEAD is noticed', async (t) => {
  const wanted = named('method/head')
  t.equal(tell(await converse(wanted, options(await serverThat(t, answering([OK, NEXT]))))), '200 astray')
})

t.test('a missing answer, and one that is cut off, are distinguished from an end', async (t) => {
  const wanted = named('method/get')
  const fateWith = async (serve: (socket: Socket) => void): Promise<string> =>
    tell(await converse(wanted, { ...options(await serverThat(t, serve)), patience: 50 }))
  t.equal(await fateWith(() => undefined), 'silent')
  t.equal(await fateWith((socket) => socket.end()), 'closed')
  t.equal(await fateWith((socket) => socket.end(OK.slice(0, -1))), 'astray')
})

t.test('the list of recorded behaviour must be true, of us and of httpd', async (t) => {
  const recorded = [{ probe: 'method/get', reason: 'for this test' }]
  const result = (verdict: 'passed' | 'failed') => [{ probe: named('method/get'), verdict, came: '200 open' }] as const
  t.strictSame(complaints(result('failed'), result('failed'), recorded), [])
  t.match(complaints(result('failed'), result('passed'), recorded), [/is not what httpd does/])
  t.match(complaints(result('passed'), undefined, recorded), [/take it off the list/])
  t.match(complaints(result('failed'), undefined, []), [/^method\/get \(RFC 9110 9\.1\) fails/])
  t.match(complaints(result('passed'), undefined, [{ probe: 'gone', reason: '' }]), [/no probe/])
})

function named(id: string): Probe {
  const found = CATALOGUE.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no probe ${id}`)
  return found
}

function options(port: number): Parameters<typeof converse>[1] {
  return { port, patience: 1000, values: new Map() }
}

/** Answers each write of the client with the next of these texts. */
function answering(texts: readonly string[]): (socket: Socket) => void {
  return (socket) => {
    const rest = [...texts]
    socket.on('data', () => socket.write(rest.shift() ?? '', 'latin1'))
  }
}

function serverThat(t: { teardown(end: () => void): void }, serve: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    serve(socket)
  })
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
