import { readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { applications, isAlive, logged, type Site, skip, until } from './support.ts'

const pidOf = async (server: Site, target = '/k/pid'): Promise<number> => Number((await server.inject(target)).body)

/** Changes a script and its time, which counts. */
function touch(server: Site, name: string, text?: string): void {
  const file = join(server.serverRoot, name)
  writeFileSync(file, text ?? readFileSync(file, 'utf8'))
  const later = new Date(Date.now() + 10_000)
  utimesSync(file, later, later)
}

t.test('a process that dies is replaced', { skip }, async (t) => {
  const server = await applications(t)
  const first = await pidOf(server)
  t.equal((await server.inject('/k/die')).status, 500)
  t.ok(await logged(server, /Truncated or oversized response headers received from daemon process 'd': \S+kinds\.wsgi$/))
  const second = await pidOf(server)
  t.ok(second > 0 && second !== first)
  t.ok(await until(() => !isAlive(first)))
  t.ok(await logged(server, /Process 'd' has died, deregister and restart it\.$/))
})

t.test('a changed script is loaded by a new process, without a failed request', { skip }, async (t) => {
  const server = await applications(t)
  const first = await pidOf(server)
  touch(server, 'apps/kinds.wsgi')
  const many = await Promise.all(Array.from({ length: 20 }, () => server.inject('/k/pid')))
  t.same(new Set(many.map(({ status }) => status)), new Set([200]))
  t.notOk(many.some(({ body }) => Number(body) === first))
  t.ok(await until(() => !isAlive(first)), 'the former process ends')
})

t.test('a script without process group is loaded again by its process', { skip }, async (t) => {
  const server = await applications(t, 'WSGIScriptAlias /own @ROOT@/apps/own.wsgi\n', {
    'apps/own.wsgi': 'def application(e, s):\n    s("200 OK", [])\n    return [b"before"]\n',
  })
  t.equal((await server.inject('/own')).body, 'before')
  touch(server, 'apps/own.wsgi', 'def application(e, s):\n    s("200 OK", [])\n    return [b"after"]\n')
  t.equal((await server.inject('/own')).body, 'after')
  t.notOk(server.errors().some((line) => line.includes('has died')))
})

t.test('after maximum-requests a process is replaced, without a failed request', { skip }, async (t) => {
  const server = await applications(
    t,
    'WSGIDaemonProcess m threads=2 maximum-requests=5\nWSGIScriptAlias /m @ROOT@/apps/kinds.wsgi process-group=m\n',
  )
  const pids = new Set<number>()
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => server.inject('/m/pid')))
    for (const { status, body } of answers) {
      t.equal(status, 200)
      pids.add(Number(body))
    }
  }
  t.ok(pids.size > 1)
  const last = await pidOf(server, '/m/pid')
  t.ok(await until(() => [...pids].every((pid) => pid === last || !isAlive(pid) || pids.size === 1)))
})

t.test('a request that hangs ends its process after request-timeout', { skip }, async (t) => {
  const server = await applications(
    t,
    'WSGIDaemonProcess r threads=1 request-timeout=1 shutdown-timeout=1\nWSGIScriptAlias /r @ROOT@/apps/kinds.wsgi process-group=r\n',
  )
  const first = await pidOf(server, '/r/pid')
  t.equal((await server.inject('/r/block')).status, 500)
  t.ok(await logged(server, /Daemon process request time limit exceeded, stopping process 'r'\.$/))
  t.ok(await logged(server, /File "\S+\/kinds\.wsgi", line \d+, in application$/), 'the log shows where it hangs')
  t.not(await pidOf(server, '/r/pid'), first)
})

t.test('a silent process is a 504 after socket-timeout', { skip }, async (t) => {
  const server = await applications(
    t,
    'WSGIDaemonProcess s socket-timeout=1\nWSGIScriptAlias /s @ROOT@/apps/kinds.wsgi process-group=s\n',
  )
  t.equal((await server.inject('/s/block')).status, 504)
  t.ok(await logged(server, /Timeout when reading response headers from daemon process 's': /))
})

t.test('each application group has processes of its own, which share nothing', { skip }, async (t) => {
  const server = await applications(
    t,
    `WSGIScriptAlias /one @ROOT@/apps/kinds.wsgi process-group=d application-group=one
WSGIScriptAlias /two @ROOT@/apps/kinds.wsgi process-group=d application-group=two
`,
  )
  const [one, again, two] = [await pidOf(server, '/one/pid'), await pidOf(server, '/one/pid'), await pidOf(server, '/two/pid')]
  t.equal(one, again)
  t.not(one, two)
})

t.test('an endless response ends with its client', { skip }, async (t) => {
  const server = await applications(
    t,
    'WSGIDaemonProcess e threads=1\nWSGIScriptAlias /e @ROOT@/apps/kinds.wsgi process-group=e\n',
  )
  const port = await server.listen()
  const client = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/e/endless`, { signal: client.signal })
  await response.body?.getReader().read()
  client.abort()
  // There is one thread: the next request gets it when the former one has ended.
  t.ok((await pidOf(server, '/e/pid')) > 0)
})

t.test('a head without end is a 500', { skip }, async (t) => {
  const server = await applications(t)
  t.equal((await server.inject('/k/huge-head')).status, 500)
  t.ok((await pidOf(server)) > 0)
})

t.test('the processes end with the server, and leave nothing', { skip }, async (t) => {
  const server = await applications(t, 'WSGISocketPrefix @ROOT@/s\n')
  const pid = await pidOf(server)
  t.same(openFiles(pid), [], 'a process has no file of the server open')
  await server.close()
  t.ok(await until(() => !isAlive(pid)))
})

/** What a process has open besides sockets, pipes and nothing. */
function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
    .filter((target) => !/^(?:socket|pipe|anon_inode):/.test(target) && target !== '/dev/null')
}
