import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import type { ModuleLog, ProxyMember } from '@gatewright/api'
import { proxyWorkerStates } from '@gatewright/api'
import t from 'tap'
import { requestHead } from '../src/check.ts'
import { type CheckSettings, type namedSettings, setParameter, standardSettings } from '../src/check-settings.ts'
import { MemberChecks } from '../src/checker.ts'
import { compileVerdict, type Verdict } from '../src/health-expression.ts'

const patterns = { pattern: (source: string) => ({ source, names: new Map(), ...matcher(new RegExp(source)) }) }

function matcher(regex: RegExp) {
  return { test: (text: string) => regex.test(text), match: () => null, search: () => null, namedGroups: () => null }
}

function verdictOf(source: string): Verdict {
  const verdict = compileVerdict(source, patterns)
  if (typeof verdict !== 'function') throw new Error(verdict.error)
  return verdict
}

t.test('expressions compare the status and the body of a response', async (t) => {
  const holds = (source: string, status: number, body = ''): boolean => verdictOf(source)({ status, body })
  t.equal(holds('%{REQUEST_STATUS} =~ /^[23]/', 204), true)
  t.equal(holds('%{REQUEST_STATUS} =~ /^[23]/', 500), false)
  t.equal(holds("hc('body') !~ /down/", 200, 'up'), true)
  t.equal(holds("%{REQUEST_STATUS} -lt 400 && hc('body') =~ m#ok#", 200, 'all ok'), true)
  t.equal(holds("!(%{REQUEST_STATUS} == '404') || false", 404), false)
  t.equal(holds("%{REQUEST_STATUS} in {'200', '404'}", 404), true)
  t.match(compileVerdict("%{HTTP_HOST} == 'x'", patterns), { error: /not supported: "%\{HTTP_HOST\} == 'x'"/ })
  t.match(compileVerdict("%{REQUEST_STATUS} == '200' x", patterns), { error: /not supported: "x"/ })
})

t.test('parameters are checked, and templates are copied', async (t) => {
  const named = { templates: new Map(), verdicts: new Map() } satisfies ReturnType<typeof namedSettings>
  const settings = standardSettings()
  t.equal(setParameter(settings, 'hcinterval', '500ms', named, false), undefined)
  t.equal(settings.interval, 500)
  t.equal(setParameter(settings, 'hcinterval', '50ms', named, false), 'Interval must be a positive value greater than 100ms')
  t.equal(setParameter(settings, 'hctemplate', 'x', named, false), 'Unknown ProxyHCTemplate name: x')
  named.templates.set('x', { fails: 3 })
  t.equal(setParameter(settings, 'hctemplate', 'X', named, false), undefined)
  t.strictSame([settings.fails, settings.interval], [3, 500])
  t.equal(setParameter(settings, 'hcmethod', 'cping', named, false), 'Health check method cping not (yet) implemented')
  t.equal(setParameter(settings, 'hcmethod', 'cping', named, true), undefined)
})

t.test('a check asks for the path of the member with that of hcuri', async (t) => {
  const member = { name: 'http://10.0.0.1:8080/app', hostname: '10.0.0.1', port: 8080 }
  const settings = { ...standardSettings(), method: 'HEAD11', uri: '/up' } satisfies CheckSettings
  t.equal(requestHead(member, settings), 'HEAD /app//up HTTP/1.1\r\nHost: 10.0.0.1:8080\r\nConnection: close\r\n\r\n')
  const plain = { ...standardSettings(), method: 'GET' } satisfies CheckSettings
  const ofHost = { ...member, name: 'http://10.0.0.1:8080' }
  t.match(requestHead(ofHost, plain), /^GET \/ HTTP\/1\.0\r\n/)
  t.match(requestHead(ofHost, { ...plain, uri: '/up' }), /^GET \/up HTTP\/1\.0\r\n/)
  t.match(requestHead(member, { ...plain, uri: 'up' }), /^GET \/app\/up HTTP\/1\.0\r\n/)
  t.match(requestHead(member, { ...plain, method: 'OPTIONS', uri: '/up' }), /^OPTIONS \* HTTP\/1\.0\r\n/)
})

async function listening(answer: () => number): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((_request, response) => {
    response.statusCode = answer()
    response.end('body')
  })
  return { server, port: await portOf(server) }
}

async function portOf(server: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** A member without a state of its own, and what its checks log. */
function checkedMember(port: number) {
  const states = { bits: 0 }
  const lines: string[] = []
  const member = {
    name: `http://127.0.0.1:${port}`,
    scheme: 'http',
    hostname: '127.0.0.1',
    port,
    socketPath: null,
    parameters: { timeout: 5000 },
    get status() {
      return states.bits
    },
    mark: (bits: number, on: boolean) => {
      states.bits = on ? states.bits | bits : states.bits & ~bits
    },
  } as Partial<ProxyMember> as ProxyMember
  const log = {
    write: (_about: unknown, _level: string, code: string) => void lines.push(code),
  } as Partial<ModuleLog> as ModuleLog
  return { member, states, log, lines }
}

t.test('without an expression, a status below 200 or above 399 shows that a member is not healthy', async (t) => {
  let status = 404
  const { server, port } = await listening(() => status)
  t.teardown(() => server.close())
  const { member, states, log } = checkedMember(port)
  const checks = new MemberChecks({ member, settings: { ...standardSettings(), method: 'GET' } }, log)
  const { failsChecks } = proxyWorkerStates
  for (const [next, bits] of [
    [404, failsChecks],
    [302, 0],
    [500, failsChecks],
    [204, 0],
  ]) {
    status = next
    await checks.run()
    t.equal(states.bits, bits, `${next}`)
  }
})

t.test('CPING asks a member whether it speaks AJP', async (t) => {
  let answer = '4142000109'
  const asked: string[] = []
  const server = createTcpServer((socket) => {
    socket.on('data', (data) => {
      asked.push(data.toString('hex'))
      socket.end(Buffer.from(answer, 'hex'))
    })
    socket.on('error', () => {})
  })
  const port = await portOf(server)
  t.teardown(() => server.close())
  const { member, states, log } = checkedMember(port)
  const checks = new MemberChecks({ member, settings: { ...standardSettings(), method: 'CPING' } }, log)
  await checks.run()
  t.strictSame([states.bits, asked], [0, ['123400010a']])
  for (const wrong of ['4142000103', '41420001', '']) {
    answer = wrong
    await checks.run()
    t.equal(states.bits, proxyWorkerStates.failsChecks, wrong)
    answer = '4142000109'
    await checks.run()
    t.equal(states.bits, 0)
  }
})

t.test('a member leaves after failed checks in a row, and returns after passed ones', async (t) => {
  let status = 200
  const { server, port } = await listening(() => status)
  t.teardown(() => server.close())
  const { member, states, log, lines } = checkedMember(port)
  const verdict = verdictOf('%{REQUEST_STATUS} -lt 500')
  const settings: CheckSettings = { ...standardSettings(), method: 'GET', fails: 2, passes: 2, verdict }
  const checks = new MemberChecks({ member, settings }, log)
  const { failsChecks } = proxyWorkerStates
  await checks.run()
  status = 503
  await checks.run()
  t.equal(states.bits, 0, 'one failure is not enough')
  await checks.run()
  t.equal(states.bits, failsChecks)
  status = 200
  await checks.run()
  t.equal(states.bits, failsChecks)
  await checks.run()
  t.equal(states.bits, 0)
  t.strictSame(lines, ['AH03303', 'AH03302'])
})
