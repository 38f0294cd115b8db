import { join } from 'node:path'
import t from 'tap'
import { MODULES, StagedServer } from '../fixtures/staged-server.ts'
import { TlsAuthority } from '../fixtures/tls-authority.ts'
import { until } from '../fixtures/until.ts'
import { Chromium, findChromium } from './chromium.ts'
import { NetLog } from './chromium-log.ts'

const FILES = 200
const PAGE = '/protected/page.html'
const program = findChromium()

/** What a browser on a machine without a network needs, and what keeps it from asking for anything else. */
const OPTIONS = [
  ...['--ignore-certificate-errors', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ...['--disable-default-apps', '--disable-extensions', '--net-log-capture-mode=Default'],
]

async function serve(t: Parameters<typeof StagedServer.make>[0]): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  const { certificate, key } = new TlsAuthority(server.path('tls'), 'Authority').issue('localhost', { hosts: ['localhost'] })
  const names = ['authn_core', 'authn_file', 'authz_core', 'authz_user', 'auth_basic', 'mime', 'ssl', 'http2']
  server.configure(
    ...names.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    ...['Protocols h2 http/1.1', 'SSLEngine on', `SSLCertificateFile ${certificate}`, `SSLCertificateKeyFile ${key}`],
    'TypesConfig /dev/null',
    'AddType image/svg+xml .svg',
    'AddType text/html .html',
    'CustomLog logs/access_log "%{remote}p %H %>s %u %{H2_STREAM_ID}e %U"',
    '<Location "/protected">',
    ...['AuthType Basic', 'AuthName "protected"', `AuthUserFile ${server.path('passwords')}`, 'Require user alice'],
    '</Location>',
  )
  // "secret"
  server.file('passwords', 'alice:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n')
  const images = Array.from({ length: FILES }, (_, index) => `<img src="/protected/${index}.svg" alt="">`)
  server.file(`htdocs${PAGE}`, `<!DOCTYPE html><title>many</title><link rel="icon" href="data:,">${images.join('\n')}`)
  for (let index = 0; index < FILES; index++) {
    server.file(`htdocs/protected/${index}.svg`, `<svg xmlns="http://www.w3.org/2000/svg" width="${index + 1}" height="1"/>`)
  }
  await server.start()
  return server
}

interface LoggedRequest {
  readonly port: string
  readonly protocol: string
  readonly status: string
  readonly user: string
  readonly stream: string
  readonly path: string
}

function logged(server: StagedServer): LoggedRequest[] {
  const lines = server.read('logs/access_log').trim().split('\n')
  return lines.map((line) => {
    const [port = '', protocol = '', status = '', user = '', stream = '', path = ''] = line.split(' ')
    return { port, protocol, status, user, stream, path }
  })
}

const skip = program === null && 'no chromium is installed'

t.test('a page of 200 protected files arrives over one connection of HTTP/2', { skip, timeout: 300_000 }, async (t) => {
  const server = await serve(t)
  const netLogFile = join(server.path('logs'), 'net-log.json')
  const browser = await Chromium.start(program ?? '', [...OPTIONS, `--log-net-log=${netLogFile}`])
  t.teardown(() => browser.close())
  const page = await browser.open()
  const authorization = `Basic ${Buffer.from('alice:secret').toString('base64')}`
  await page.send('Network.setExtraHTTPHeaders', { headers: { Authorization: authorization } })
  await page.visit(`https://localhost:${server.port}${PAGE}`)

  // The browser has decoded each of them, and each is another one.
  const widths = await page.evaluate('[...document.images].map((image) => image.complete ? image.naturalWidth : 0)')
  t.same(
    widths,
    Array.from({ length: FILES }, (_, index) => index + 1),
  )
  t.same(page.complaints, [])

  const isOfPage = ({ path }: LoggedRequest): boolean => path.startsWith('/protected/')
  await until('all requests are in the access log', () => logged(server).filter(isOfPage).length > FILES)
  const requests = logged(server).filter(isOfPage)
  t.equal(requests.length, FILES + 1)
  t.equal(new Set(requests.map(({ path }) => path)).size, FILES + 1, 'each file was asked for once')
  t.same([...new Set(requests.map(({ protocol, status, user }) => `${protocol} ${status} ${user}`))], ['HTTP/2.0 200 alice'])
  t.equal(new Set(requests.map(({ port }) => port)).size, 1, 'one connection')
  t.equal(new Set(requests.map(({ stream }) => stream)).size, FILES + 1, 'a stream each')

  await browser.quit()
  const netLog = new NetLog(netLogFile)
  const sent = [...netLog.bySession('HTTP2_SESSION_SEND_HEADERS').values()]
  t.equal(sent.length, 1, 'one session of HTTP/2')
  t.equal(sent[0]?.length, FILES + 1)
  t.equal(netLog.bySession('HTTP2_SESSION_RECV_HEADERS').values().next().value?.length, FILES + 1)
  for (const type of [
    'HTTP2_SESSION_RECV_RST_STREAM',
    'HTTP2_SESSION_RECV_GOAWAY',
    'HTTP2_STREAM_ERROR',
    'HTTP2_SESSION_RECV_INVALID_HEADER',
  ]) {
    t.equal(netLog.bySession(type).size, 0, type)
  }
})
