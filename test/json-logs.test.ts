import { connect } from 'node:net'
import t from 'tap'
import { Random } from './fixtures/random.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

const HOSTILE = 400
const LONGEST = 120
const REPLACED = [13, 10, 0]

t.test('access and error logs in JSON are whole and true, whatever bytes clients send', async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/small.txt', 'small\n')
  server.configure(
    `LoadModule authz_core_module ${MODULES}/mod_authz_core.so`,
    'LogLevel debug',
    'ErrorLogFormat json',
    'CustomLog logs/access.ndjson json',
    '<Directory "@ROOT@/htdocs">',
    'Require all granted',
    '</Directory>',
    '<Location /no>',
    'Require all denied',
    '</Location>',
  )
  await server.start()
  const plain =
    'GET /small.txt?a=%22 HTTP/1.1\r\nHost: h.test\r\nUser-Agent: "caf\xc3\xa9" \\ \xff\r\nReferer: \xe2\x82\xac\r\nConnection: close\r\n\r\n'
  await send(server.port, plain)
  await send(server.port, 'GET /no HTTP/1.1\r\nHost: h.test\r\nReferer: \xe2\x82\xac\r\nConnection: close\r\n\r\n')
  const random = new Random(12)
  for (let round = 0; round < HOSTILE; round += 20) {
    await Promise.all(Array.from({ length: 20 }, () => send(server.port, hostile(random))))
  }
  await server.stop()

  const access = lines(server.read('logs/access.ndjson'))
  t.ok(access.length > HOSTILE, `${access.length} lines`)
  t.match(access[0], {
    '@timestamp': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
    message: 'GET /small.txt?a=%22 HTTP/1.1',
    'client.address': '127.0.0.1',
    'http.request.method': 'GET',
    'http.version': '1.1',
    'http.response.status_code': 200,
    'http.response.body.bytes': 6,
    'http.request.bytes': plain.length,
    'http.request.referrer': '€',
    // No UTF-8 as a whole, so that each byte is a character.
    'user_agent.original': '"caf\u00c3\u00a9" \\ \u00ff',
    'url.path': '/small.txt',
    'url.query': 'a=%22',
    'url.domain': 'h.test',
    'server.address': 'localhost',
    'server.port': server.port,
    'event.duration': Number,
    'process.pid': Number,
  })
  t.notOk('user.name' in access[0], 'what is not known is left out')

  const errors = lines(server.read('logs/error_log'))
  t.match(
    errors.find((line) => line['event.code'] === 'AH01630'),
    {
      'log.level': 'error',
      'log.logger': 'authz_core',
      message: `client denied by server configuration: ${server.root}/htdocs/no`,
      'client.address': '127.0.0.1',
      'client.port': Number,
      'http.request.referrer': '€',
    },
  )
  t.match(errors.at(-1), { 'log.level': 'notice', 'event.code': 'AH00491', message: 'caught SIGTERM, shutting down' })
})

t.test('a LogFormat with the nickname json applies as written', async (t) => {
  const server = await StagedServer.make(t)
  // Without an authorization module this is a 500.
  server.configure('LogFormat "mine %s" json', 'CustomLog logs/access_log json')
  await server.start()
  await send(server.port, 'GET / HTTP/1.0\r\n\r\n')
  await server.stop()
  t.equal(server.read('logs/access_log'), 'mine 500\n')
})

/** Each line as JSON. @throws if one is not valid JSON or not plain ASCII */
function lines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      if (!/^[ -~]+$/.test(line)) throw new Error(`not ASCII: ${line}`)
      return JSON.parse(line)
    })
}

/** A request with random bytes in its target, name or field. */
function hostile(random: Random): string {
  const bytes = String.fromCharCode(
    ...Array.from({ length: 1 + random.below(LONGEST) }, () => random.below(256)).filter((byte) => !REPLACED.includes(byte)),
  )
  const place = random.below(4)
  const target = place === 0 ? bytes : place === 1 ? `/no/${bytes}` : '/no'
  return `${place === 2 ? bytes : 'GET'} ${target} HTTP/1.1\r\nHost: a\r\nUser-Agent: ${bytes}\r\nReferer: ${bytes}\r\nConnection: close\r\n\r\n`
}

function send(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.resume()
    socket.end(Buffer.from(text, 'latin1'))
  })
}
