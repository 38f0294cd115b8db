import { chmodSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { isAlive, logged, managerOf, programs, programsOf, skip, until } from './support.ts'

const MASK = '#!/usr/bin/perl\nprint STDERR "mask " . umask() . "\\n";\n'
const HEAD = encodeURIComponent('Content-Type: text/plain\r\n\r\n')
const pid = (target = '/a.fcgi'): string => `${target}?pid=1&head=${HEAD}`

t.test('a program answers many requests, one at a time', { skip }, async (t) => {
  const server = await programs(t)
  const first = await server.inject(pid())
  t.match(first, { status: 200, body: /^\d+ 1$/ })
  t.equal((await server.inject(pid())).body, first.body.replace(/ 1$/, ' 2'))
  t.match(await server.inject('/a.fcgi/more?show=1'), { status: 200, body: /\nPATH_INFO=\/more\n/ })
  t.ok(await logged(server, /mod_fcgid: server \S+:\S+\/docs\/a\.fcgi\(\d+\) started/))
})

t.test('a wrapper runs files of its end, with its own words, and also without a file', { skip }, async (t) => {
  const lines = `<Directory @ROOT@/docs>\nFcgidWrapper "@ROOT@/wrapper one 'two words'" .wrap\n</Directory>
<Location /virtual>\nSetHandler fcgid-script\nOptions +ExecCGI\nRequire all granted\nFcgidWrapper @ROOT@/wrapper virtual\n</Location>\n`
  const server = await programs(t, lines)
  t.match((await server.inject('/x.wrap?show=1')).body, /args=one two words\n/)
  t.equal((await server.inject('/none.wrap')).status, 404)
  t.equal((await server.inject('/virtual')).status, 200)
})

t.test('programs have the environment of FcgidInitialEnv, and of FcgidCmdOptions in its place', { skip }, async (t) => {
  const lines = 'FcgidInitialEnv FOO bar\nFcgidCmdOptions @ROOT@/docs/b.fcgi InitialEnv CMD=own\n'
  const server = await programs(t, lines)
  t.match((await server.inject('/a.fcgi?show=1')).body, /foo=bar cmd=- /)
  t.match((await server.inject('/b.fcgi?show=1')).body, /foo=- cmd=own /)
})

t.test('programs have the file mode mask of the server', { skip }, async (t) => {
  const server = await programs(t, '', { 'docs/mask.fcgi': MASK })
  chmodSync(join(server.serverRoot, 'docs/mask.fcgi'), 0o755)
  t.equal((await server.inject('/mask.fcgi')).status, 500)
  t.ok(await logged(server, new RegExp(`mask ${process.umask()}$`)))
})

t.test('fields of FcgidPassHeader reach programs, and others of clients do not', { skip }, async (t) => {
  const server = await programs(t, 'FcgidPassHeader Authorization\n')
  const { body } = await server.inject({ target: '/a.fcgi?show=1', headers: { Authorization: 'Basic eDp5', Proxy: 'evil' } })
  t.match(body, /\nAuthorization=Basic eDp5\n/)
  t.match(body, /\nHTTP_AUTHORIZATION=Basic eDp5\n/)
  t.notMatch(body, /HTTP_PROXY=/)
})

t.test(
  'a body of FcgidMaxRequestLen arrives whole, partly from a temporary file, and a longer one is refused',
  { skip },
  async (t) => {
    const server = await programs(t, 'FcgidMaxRequestLen 200000\nFcgidMaxRequestInMem 1000\n')
    const post = (length: number) => server.inject({ target: '/a.fcgi?show=1', method: 'POST', body: Buffer.alloc(length, 98) })
    t.match((await post(200_000)).body, /^body of 200000\n/)
    t.match((await post(999)).body, /^body of 999\n/)
    t.equal((await post(200_001)).status, 500)
    t.ok(await logged(server, /mod_fcgid: HTTP request length \d+ \(so far\) exceeds MaxRequestLen \(200000\)$/))
    t.same(
      readdirSync(tmpdir()).filter((name) => name.startsWith('fcgid.tmp.')),
      [],
    )
  },
)

t.test('as many processes run as FcgidMaxProcessesPerClass allows, and every request is served', { skip }, async (t) => {
  const server = await programs(t, 'FcgidMaxProcessesPerClass 2\n')
  const answers = await Promise.all(Array.from({ length: 12 }, () => server.inject(`${pid()}&wait=120`)))
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
  t.equal(new Set(answers.map(({ body }) => body.split(' ')[0])).size, 2)
})

t.test('a process ends after FcgidMaxRequestsPerProcess requests', { skip }, async (t) => {
  const server = await programs(t, 'FcgidMaxRequestsPerProcess 2\n')
  const bodies: string[] = []
  for (let index = 0; index < 4; index++) bodies.push((await server.inject(pid())).body)
  t.same(
    bodies.map((body) => body.split(' ')[1]),
    ['1', '2', '1', '2'],
  )
  t.ok(await logged(server, /exit\(lifetime expired\), get stop signal 15$/))
  t.ok(await until(() => !isAlive(Number(bodies[0].split(' ')[0]))))
})

t.test('an idle process ends after FcgidIdleTimeout, unless it is one of FcgidMinProcessesPerClass', { skip }, async (t) => {
  const server = await programs(t, 'FcgidIdleTimeout 1\nFcgidMinProcessesPerClass 1\nFcgidSpawnScoreUpLimit 1000\n')
  await Promise.all(Array.from({ length: 3 }, () => server.inject(`${pid()}&wait=400`)))
  t.ok(programsOf(server).length > 1)
  t.ok(await logged(server, /exit\(idle timeout\)/))
  t.ok(await until(() => programsOf(server).length === 1))
})

t.test('a program that the system cannot run is answered with 503, and the reason is in the log', { skip }, async (t) => {
  const server = await programs(t, '', { 'docs/broken.fcgi': '#!/none/such\n', 'docs/text.fcgi': 'text\n' })
  t.equal((await server.inject('/broken.fcgi')).status, 503)
  t.ok(await logged(server, /mod_fcgid: can't run \S+broken\.fcgi/))
  t.equal((await server.inject('/text.fcgi')).status, 503)
  t.ok(await logged(server, /can't run \S+text\.fcgi: \(8\)Exec format error/))
})

t.test('after the death of the manager, the next request starts another one, and former programs end', { skip }, async (t) => {
  const server = await programs(t)
  const first = Number((await server.inject(pid())).body.split(' ')[0])
  const manager = managerOf(server)
  t.ok(manager !== undefined && manager > 1)
  if (manager !== undefined) process.kill(manager, 'SIGKILL')
  t.ok(await logged(server, /mod_fcgid: the process manager has ended/))
  const second = await server.inject(pid())
  t.match(second, { status: 200, body: /^\d+ 1$/ })
  t.not(Number(second.body.split(' ')[0]), first)
  t.ok(await until(() => !isAlive(first)), 'the program of the former manager has ended')
})

t.test('programs and their folder go with the server', { skip }, async (t) => {
  const server = await programs(t)
  const program = Number((await server.inject(pid())).body.split(' ')[0])
  const manager = managerOf(server) ?? 0
  await server.close()
  t.ok(await until(() => !isAlive(program) && !isAlive(manager)))
  t.throws(() => readdirSync(join(server.serverRoot, 'run')))
})

t.test('wrong lines are reported with what is wrong', { skip }, async (t) => {
  const fails = async (line: string, text: RegExp) => t.rejects(programs(t, `${line}\n`), { message: text }, line)
  await fails('FcgidWrapper /none/such .php', /Wrapper \/none\/such cannot be accessed: \(2\)No such file or directory/)
  await fails('FcgidWrapper /bin/true php', /Invalid wrapper file extension/)
  await fails('FcgidWrapper /bin/true .php other', /Invalid wrapper flag/)
  await fails('FcgidIOTimeout 0', /FcgidIOTimeout must be greater than 0/)
  await fails('FcgidMaxRequestLen many', /FcgidMaxRequestLen requires a non-negative integer/)
  await fails('FcgidCmdOptions /bin/true', /At least one option must be specified for FcgidCmdOptions/)
  await fails('FcgidCmdOptions /bin/true Speed 3', /Invalid option for FcgidCmdOptions: Speed/)
  await fails('FcgidCmdOptions /bin/true IOTimeout', /IOTimeout must have an argument/)
})
