import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { isAlive, logged, managerOf, programs, programsOf, skip, socketsOf, until } from './support.ts'

const LINES = 'FcgidIOTimeout 2\nFcgidErrorScanInterval 1\nFcgidSpawnScoreUpLimit 1000\n'

for (const bad of ['endless-head', 'endless-line', 'big-head', 'hang', 'deaf', 'garbage']) {
  t.test(`a program that misbehaves (${bad}) is answered with 500, ended, and replaced`, { skip }, async (t) => {
    const server = await programs(t, LINES)
    const { body } = await server.inject('/a.fcgi?pid=1')
    t.equal((await server.inject(`/a.fcgi?bad=${bad}`)).status, 500)
    t.ok(await until(() => !isAlive(Number(body.split(' ')[0]))), 'it has ended')
    t.match(await server.inject('/a.fcgi?pid=1'), { status: 200, body: /^\d+ 1$/ })
  })
}

t.test('a program that never stops writing is ended after its client has gone', { skip }, async (t) => {
  const server = await programs(t, LINES)
  const port = await server.listen()
  const response = await fetch(`http://127.0.0.1:${port}/a.fcgi?bad=endless`)
  const reader = response.body?.getReader()
  for (let bytes = 0; bytes < 1_000_000; ) bytes += (await reader?.read())?.value?.length ?? 1_000_000
  await reader?.cancel()
  t.ok(await until(() => programsOf(server).length === 0), 'it has ended')
  t.equal((await server.inject('/a.fcgi')).status, 200)
})

t.test('a response that ends in its head is answered with 500', { skip }, async (t) => {
  const server = await programs(t, LINES)
  for (const head of ['', 'no field', 'X-A: b\r\n', 'X-A: b', '\r\n'])
    for (const end of ['die', 'close', 'cut']) {
      const { status } = await server.inject(`/a.fcgi?head=${encodeURIComponent(head)}&end=${end}`)
      t.equal(status, 500, `${JSON.stringify(head)}, ${end}`)
    }
})

t.test('what a program has started in its process group ends with it when it is killed', { skip }, async (t) => {
  const server = await programs(t, LINES)
  t.equal((await server.inject('/a.fcgi?bad=fork')).status, 200)
  t.ok(await until(() => programsOf(server).length === 2))
  t.equal((await server.inject('/a.fcgi?bad=hang')).status, 500)
  t.ok(await until(() => programsOf(server).length === 0))
})

t.test('a process is ended after FcgidBusyTimeout', { skip }, async (t) => {
  const server = await programs(t, `${LINES}FcgidBusyTimeout 1\nFcgidIOTimeout 30\n`)
  t.equal((await server.inject('/a.fcgi?bad=hang')).status, 500)
  t.ok(await logged(server, /mod_fcgid: \/a\.fcgi took longer than busy timeout \(1 secs\)$/))
})

t.test('a program that ignores its end is killed', { skip }, async (t) => {
  const server = await programs(t, LINES)
  t.equal((await server.inject('/a.fcgi?bad=deaf')).status, 500)
  t.ok(await logged(server, /graceful kill fail, sending SIGKILL/))
  t.ok(await logged(server, /exit\(communication error\), get stop signal 9$/))
})

t.test('what a program writes to its standard error is in the error log', { skip }, async (t) => {
  const server = await programs(t, LINES)
  t.equal((await server.inject('/a.fcgi?bad=noise')).status, 200)
  t.ok(await logged(server, /n{100}$/))
})

t.test('neither server nor manager keep descriptors of hundreds of bad requests', { skip }, async (t) => {
  const server = await programs(t, `${LINES}FcgidMaxProcessesPerClass 4\n`)
  await server.inject('/a.fcgi')
  const manager = managerOf(server) ?? 0
  const before = socketsOf(process.pid)
  for (let round = 0; round < 20; round++) {
    const targets = [
      'end=die',
      'end=cut',
      'end=close',
      'bad=garbage',
      'pid=1',
      'err=text',
      'head=&end=close',
      'body=100000&end=cut',
    ]
    await Promise.all(targets.map((target) => server.inject(`/a.fcgi?${target}`).catch(() => null)))
  }
  t.ok(await until(() => socketsOf(process.pid) <= before + 2), 'of this process')
  t.ok(await until(() => socketsOf(manager) <= 2 + 2 * 4), 'of the manager')
  await pause(0)
})
