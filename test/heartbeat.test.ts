/**
 * Heartbeats beside the real httpd: each server hears the messages of the other kind, files in the place of HeartbeatStorage
 * lead to the same members, and messages by POST get the same answers.
 */
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const withoutHttpd = spawnSync('apache2', ['-v']).status === 0 ? false : 'needs apache2'
const DEBIAN_MODULES = '/usr/lib/apache2/modules'
const GROUP = '239.77.77.77'

/** Why nothing can be sent to a group on this machine; false if it can. */
const withoutGroups = await new Promise<string | false>((resolve) => {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  let isOpen = true
  const end = (result: string | false): void => {
    clearTimeout(timer)
    if (isOpen) socket.close()
    isOpen = false
    resolve(result)
  }
  const timer = setTimeout(() => end('no multicast here'), 10_000)
  socket.on('error', ({ message }) => end(message))
  socket.on('message', () => end(false))
  socket.bind({ address: GROUP, port: 0 }, () => {
    try {
      socket.addMembership(GROUP)
    } catch (error) {
      return end(`no multicast here: ${String(error)}`)
    }
    socket.send('x', socket.address().port, GROUP)
  })
})

type Kind = 'gatewright' | 'httpd'

async function make(t: Test, kind: Kind, modules: readonly string[], lines: readonly string[]): Promise<StagedServer> {
  const server = await StagedServer.make(t, ...(kind === 'httpd' ? ['apache2'] : []))
  // The processes of httpd end with their parent only if it is asked to end.
  t.teardown(async () => void (await server.stop()))
  const [folder, ending] = kind === 'httpd' ? [DEBIAN_MODULES, 'so'] : [MODULES, 'mjs']
  mkdirSync(server.path('kept'))
  chmodSync(server.path('kept'), 0o777)
  server.configure(
    ...(kind === 'httpd' ? [`LoadModule mpm_event_module ${folder}/mod_mpm_event.so`] : []),
    ...['authz_core', ...modules].map((name) => `LoadModule ${name}_module ${folder}/mod_${name}.${ending}`),
    ...lines,
  )
  return server
}

async function start(t: Test, kind: Kind, modules: readonly string[], lines: readonly string[]): Promise<StagedServer> {
  const server = await make(t, kind, modules, lines)
  await server.start()
  return server
}

/** A free port of UDP. */
function freeUdpPort(): Promise<number> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1', () => {
      const { port } = socket.address()
      socket.close(() => resolve(port))
    })
  })
}

t.test('a server sends its free and busy places again and again', async (t) => {
  const socket = createSocket('udp4')
  const messages: string[] = []
  socket.on('message', (message) => messages.push(message.toString()))
  const port = await new Promise<number>((resolve) => socket.bind(0, '127.0.0.1', () => resolve(socket.address().port)))
  t.teardown(() => socket.close())
  await start(t, 'gatewright', ['heartbeat'], [`HeartbeatAddress 127.0.0.1:${port}`, 'MaxRequestWorkers 50'])
  // The connection by which the start was noticed may still count as busy.
  const idle = /^v=1&ready=[1-9]\d*&busy=0$/
  await until('three messages of an idle server arrived', () => messages.filter((one) => idle.test(one)).length >= 3)
  for (const message of messages) t.match(message, /^v=1&ready=\d+&busy=\d+$/)
})

for (const [sender, monitor] of [
  ['gatewright', 'gatewright'],
  ['gatewright', 'httpd'],
  ['httpd', 'gatewright'],
] as const) {
  const skip = withoutGroups || (sender === 'httpd' || monitor === 'httpd' ? withoutHttpd : false)
  t.test(`${monitor} keeps what ${sender} sends to a group, in a file that anybody may read`, { skip }, async (t) => {
    const port = await freeUdpPort()
    const lines = [`HeartbeatListen ${GROUP}:${port}`, 'HeartbeatMaxServers 0', 'HeartbeatStorage @ROOT@/kept/hb.dat']
    const listening = await start(t, monitor, ['heartmonitor'], lines)
    await start(t, sender, ['heartbeat'], [`HeartbeatAddress ${GROUP}:${port}`])
    const line = /^[\d.]+ &ready=[1-9]\d*&busy=\d+&lastseen=\d+&port=80\n$/
    const file = 'kept/hb.dat'
    await until('the file names the server', () => existsSync(listening.path(file)) && line.test(listening.read(file)))
  })
}

t.test('a group that is none is logged as by httpd, and the server serves', async (t) => {
  const port = await freeUdpPort()
  const lines = [`HeartbeatListen 127.0.0.1:${port}`, 'HeartbeatMaxServers 0', 'HeartbeatStorage @ROOT@/kept/hb.dat']
  const server = await start(t, 'gatewright', ['heartmonitor'], lines)
  await until('the error is logged', () => server.read('logs/error_log').includes('AH02090'))
  t.match(server.read('logs/error_log'), /heartmonitor:crit\].* \(22\)Invalid argument: AH02072: Failed to join multicast group/)
  t.match(server.read('logs/error_log'), /heartmonitor:crit\].* AH02090: Unable to listen for connections!/)
  t.equal((await server.get('/')).status, 404)
})

/** A body, and the line of the file that it leads to. */
const POSTED: readonly (readonly [body: string, line: string])[] = [
  ['v=1&ready=75&busy=0', 'ready=75&busy=0&lastseen=0&port=80'],
  ['ready=3', ''],
  ['busy=q&ready=4x&port=70000', 'ready=0&busy=0&lastseen=0&port=80'],
  ['ready=5&busy=6&port=8080', 'ready=5&busy=6&lastseen=0&port=8080'],
  ['v=1&ready=-5&busy=%31&port=0', 'ready=4294967291&busy=1&lastseen=0&port=80'],
  ['READY=7&Busy=8&busy=9', 'ready=7&busy=9&lastseen=0&port=80'],
  ['', ''],
]

async function postAll(t: Test, kind: Kind): Promise<readonly string[]> {
  const port = await freeUdpPort()
  const server = await start(
    t,
    kind,
    ['heartmonitor'],
    [
      // Neither what is sent to the group nor the time for another writing matters here.
      `HeartbeatListen ${GROUP}:${port}`,
      'HeartbeatMaxServers 0',
      'HeartbeatStorage @ROOT@/kept/hb.dat',
      '<Location "/beat">',
      'SetHandler heartbeat',
      '</Location>',
    ],
  )
  const seen: string[] = []
  const post = async (body: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/beat`, { method: 'POST', body, headers: { Connection: 'close' } })
    const text = answer.ok ? await answer.text() : ''
    const type = answer.ok ? answer.headers.get('Content-Type') : ''
    return [answer.status, type, text].join(' ')
  }
  for (const [body, line] of POSTED) {
    seen.push(await post(body))
    if (line === '') continue
    const stored = /^127\.0\.0\.1 &ready=(\d+)&busy=(\d+)&lastseen=\d+&port=(\d+)$/m
    // httpd forgets it when the process that listens writes what it has heard itself.
    let found = stored.exec(server.read('kept/hb.dat'))
    for (let more = 0; found === null && more < 100; more++) {
      await post(body)
      found = stored.exec(server.read('kept/hb.dat'))
    }
    seen.push(`ready=${found?.[1]}&busy=${found?.[2]}&lastseen=0&port=${found?.[3]}`)
  }
  seen.push(String((await server.get('/beat')).status))
  // The log is complete when the server has ended.
  await server.stop()
  const codes = server.read('logs/error_log').match(/AH1056\d: .*/g) ?? []
  return [...seen, ...new Set(codes)]
}

t.test('messages by POST are checked, logged and kept as by httpd', { skip: withoutGroups }, async (t) => {
  const ours = await postAll(t, 'gatewright')
  const expected = POSTED.flatMap(([, line]) => (line === '' ? ['400  '] : ['200 text/plain OK', line]))
  t.strictSame(ours.slice(0, expected.length), expected)
  if (withoutHttpd === false) t.strictSame(ours, await postAll(t, 'httpd'))
})

t.test('a server that does not listen refuses messages', async (t) => {
  const lines = ['HeartbeatMaxServers 0', '<Location "/beat">', 'SetHandler heartbeat', '</Location>']
  const server = await start(t, 'gatewright', ['heartmonitor'], lines)
  const answer = await fetch(`http://127.0.0.1:${server.port}/beat`, { method: 'POST', body: 'ready=1&busy=1' })
  t.equal(answer.status, 503)
  await answer.arrayBuffer()
  await until('it is logged', () => server.read('logs/error_log').includes('AH10561: Heartbeat monitoring not active'))
})

t.test('a monitor with records needs mod_slotmem_shm', async (t) => {
  const server = await make(t, 'gatewright', ['heartmonitor'], [])
  const { status, stderr } = await server.run('-D', 'FOREGROUND')
  t.not(status, 0)
  t.match(stderr.join('\n') + server.read('logs/error_log'), /AH02284: failed to lookup provider 'shm' for 'slotmem'/)
})

/** The contents of a file, and the members that serve; `none` for 503. */
const FILES: readonly (readonly [file: string, members: string])[] = [
  ['', 'none'],
  ['127.0.0.1 &ready=10&busy=1&lastseen=0&port=80\n127.0.0.2 &ready=10&busy=1\n127.0.0.3 &ready=10&busy=1&lastseen=10\n', '1 2'],
  ['127.0.0.1 &ready=3&busy=0&lastseen=0\n', 'none'],
  ['127.0.0.1 &ready=4&busy=0&lastseen=0\n#127.0.0.2 &ready=4&busy=1\n', '1'],
  ['127.0.0.1 &ready=0&busy=1\n127.0.0.2 &ready=1&busy=1&lastseen=9\n127.0.0.3 &ready=0&busy=3\n', '2 3'],
  ['127.0.0.1 &ready=2&busy=1\n127.0.0.2 ready=8\n127.0.0.3\n', '1 2'],
  ['127.0.0.1\t&ready=2&busy=1\n 127.0.0.3 &ready=3&busy=1\n', 'none'],
  ['127.0.0.1 &ready=a&busy=1\n127.0.0.2 &ready=3x&busy=1\n127.0.0.3 &ready=-1&busy=1', 'none'],
  ['127.0.0.1 &ready=4&busy=1&lastseen=x\n', '1'],
  ['127.0.0.1 &ready=2147483648&busy=1\n127.0.0.2 &ready= 4&busy=+1', '2'],
  ['127.0.0.3 &ready=4&busy=1&lastseen=3\r\n', '3'],
  ['127.0.0.1 & ready = 4 & busy=1\n127.0.0.2 &READY=4&busy=1', '2'],
  ['127.0.0.1 &ready=4&ready=0&busy=1\n127.0.0.2 junk &ready=4&busy=1', '2'],
  ['127.0.0.1 &ready=%34&busy=%zz\n', '1'],
  ['127.0.0.1 &ready=4&busy=1&lastseen=3\n127.0.0.1 &busy=1&lastseen=9\n', '1'],
  ['127.0.0.2 &ready=4&busy=1&lastseen=9\n127.0.0.2 &ready=0&busy=1\n', 'none'],
]
const ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
/** With so many requests, no member that serves every fifth one is missed. */
const REQUESTS = 150

async function membersOf(t: Test, kind: Kind, ports: readonly number[]): Promise<readonly string[]> {
  const server = await start(
    t,
    kind,
    ['proxy', 'proxy_http', 'slotmem_shm', 'lbmethod_heartbeat', 'proxy_balancer'],
    [
      'HeartbeatStorage @ROOT@/kept/hb.dat',
      '<Proxy "balancer://app">',
      ...ADDRESSES.map((address, index) => `BalancerMember "http://${address}:${ports[index]}" retry=0`),
      'ProxySet lbmethod=heartbeat',
      '</Proxy>',
      'ProxyPass "/" "balancer://app/"',
    ],
  )
  const members: string[] = []
  for (const [index, [file]] of FILES.entries()) {
    // A file of another size is another version, however coarse its times are.
    server.file('kept/hb.dat', `${'#'.repeat(index)}\n${file}`)
    const served = new Set<string>()
    for (let request = 0; request < REQUESTS; request++) {
      const { status, body } = await server.get('/')
      served.add(status === 200 ? body : 'none')
      if (status === 503) break
    }
    members.push([...served].sort().join(' '))
  }
  return members
}

t.test('the members that serve are those that httpd finds in the same file', async (t) => {
  const ports: number[] = []
  for (const [index, address] of ADDRESSES.entries()) {
    const backend = createServer((_request, response) => response.end(String(index + 1)))
    await new Promise<void>((resolve) => backend.listen(0, address, resolve))
    const bound = backend.address()
    if (bound !== null && typeof bound === 'object') ports.push(bound.port)
    t.teardown(() => {
      backend.closeAllConnections()
      backend.close()
    })
  }
  const expected = FILES.map(([, members]) => members)
  t.strictSame(await membersOf(t, 'gatewright', ports), expected)
  if (withoutHttpd === false) t.strictSame(await membersOf(t, 'httpd', ports), expected)
})

t.test('members serve by what the monitor of the same server hears, in all processes', { skip: withoutGroups }, async (t) => {
  const backend = createServer((_request, response) => response.end('served'))
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    backend.closeAllConnections()
    backend.close()
  })
  const bound = backend.address()
  const lines = [
    'WorkerProcesses 2',
    `HeartbeatListen ${GROUP}:${await freeUdpPort()}`,
    '<Location "/beat">',
    'SetHandler heartbeat',
    '</Location>',
    '<Proxy "balancer://app">',
    `BalancerMember "http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}" retry=0`,
    'ProxySet lbmethod=heartbeat',
    '</Proxy>',
    'ProxyPass "/app/" "balancer://app/"',
  ]
  const modules = ['heartmonitor', 'proxy', 'proxy_http', 'slotmem_shm', 'lbmethod_heartbeat', 'proxy_balancer']
  const server = await start(t, 'gatewright', modules, lines)
  await until('it is logged', () => server.read('logs/error_log').includes('AH02283: Using slotmem from mod_heartmonitor'))
  t.equal((await server.get('/app/')).status, 503)
  const beat = { method: 'POST', body: 'v=1&ready=8&busy=1', headers: { Connection: 'close' } }
  const answer = await fetch(`http://127.0.0.1:${server.port}/beat`, beat)
  t.equal(await answer.text(), 'OK')
  const statuses: number[] = []
  for (let run = 0; run < 20 || !statuses.slice(-10).every((status) => status === 200); run++) {
    if (run > 2000) throw new Error('the other process does not know of the server')
    // What was heard is forgotten after ten seconds.
    if (run % 100 === 99) await (await fetch(`http://127.0.0.1:${server.port}/beat`, beat)).arrayBuffer()
    statuses.push((await server.get('/app/')).status)
  }
  t.equal(statuses.at(-1), 200)
})
