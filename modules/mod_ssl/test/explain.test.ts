import { connect } from 'node:net'
import { join } from 'node:path'
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls'
import { FileSource, TextSource } from '@gatewright/core'
import { type Explanation, explain, PolicyServer, type Question, type TlsQuestion } from '@gatewright/policy'
import { seededNumbers, serverRoot, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import ssl from '../src/index.ts'
import { fixture } from './support.ts'

const MODULES = [authzCore, authnCore, authnFile, authBasic, authzUser, ssl]
const PATHS = {
  '/ssl': 'Require ssl',
  '/plain': '<RequireAll>\nRequire not ssl\nRequire all granted\n</RequireAll>',
  '/verified': 'Require ssl-verify-client',
  '/require-ssl': 'SSLRequireSSL\nRequire all granted',
  '/ssl-require':
    'SSLRequire %{SSL_CLIENT_S_DN_CN} in {"alice", "Alice Liddell"} or %{SSL_PROTOCOL} eq "TLSv1.2"\nRequire all granted',
  '/user': 'SSLUserName SSL_CLIENT_S_DN_CN\nRequire valid-user',
  '/fake': 'SSLOptions +FakeBasicAuth\nAuthType Basic\nAuthName x\nAuthUserFile @ROOT@/conf/users\nRequire valid-user',
  '/expression': `Require expr "%{SSL_CLIENT_VERIFY} == 'SUCCESS' && %{HTTPS} == 'on'"`,
  '/cipher': `Require expr "%{SSL_PROTOCOL} == 'TLSv1.3' || %{SSL_CIPHER} =~ /AES256/"`,
  '/stricter': 'SSLVerifyClient require\nRequire all granted',
  '/shallower': 'SSLVerifyDepth 0\nRequire all granted',
  '/open': 'Require all granted',
} as const
const HOSTS = {
  'first.test': 'SSLVerifyClient optional\nSSLVerifyDepth 2',
  'same.test': 'SSLVerifyClient optional\nSSLVerifyDepth 2',
  'required.test': 'SSLVerifyClient require\nSSLCARevocationCheck leaf no_crl_for_cert_ok\nSSLCARevocationFile conf/ca.crl',
  'generous.test': 'SSLVerifyClient optional_no_ca',
  'quiet.test': 'SSLProtocol TLSv1.2',
  'other.test': 'SSLCertificateFile conf/b.crt\nSSLCertificateKeyFile conf/b.key',
} as const
const CLIENTS = ['alice', 'bob', 'expired', 'future', 'revoked', 'stranger', 'selfsigned-client', 'deep'] as const
const KEYS = ['localhost.crt', 'localhost.key', 'b.crt', 'b.key', 'ca.crt', 'ca.crl']

function configuration(more: string): string {
  const locations = Object.entries(PATHS).map(([path, lines]) => `<Location "${path}">\n${lines}\n</Location>`)
  const hosts = Object.entries(HOSTS).map(
    ([name, lines]) => `<VirtualHost *>\nServerName ${name}\nSSLEngine on\n${lines}\n</VirtualHost>`,
  )
  return `${more}
SSLCertificateFile conf/localhost.crt
SSLCertificateKeyFile conf/localhost.key
SSLCACertificateFile conf/ca.crt
${locations.join('\n')}
${hosts.join('\n')}`
}

interface Shape {
  readonly sni: string | null
  readonly host: string
  readonly path: string
  readonly version: 'TLSv1.2' | 'TLSv1.3'
  readonly client: string | null
  /** False for a request in the clear. */
  readonly secured: boolean
}

function shapes(count: number, seed: number): readonly Shape[] {
  const random = seededNumbers(seed)
  const one = <T>(list: readonly T[]): T => list[random(list.length)]
  return Array.from({ length: count }, () => {
    const host = one(Object.keys(HOSTS))
    return {
      sni: one([host, host, host, one(Object.keys(HOSTS)), 'unknown.test', null]),
      host: one([host, host, host, 'unknown.test']),
      path: one(Object.keys(PATHS)),
      version: one(['TLSv1.2', 'TLSv1.3'] as const),
      client: one([null, 'alice', 'alice', ...CLIENTS]),
      secured: random(12) > 0,
    }
  })
}

function pemOf(client: string): string {
  return ['.crt', '.key'].map((end) => fixture(`${client === 'deep' && end === '.crt' ? 'deep-chain' : client}${end}`)).join('')
}

/** What the running server answers: the status, 0 for none. */
function visit(port: number, { sni, host, path, version, client, secured }: Shape): Promise<number> {
  const options: ConnectionOptions = {
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
    ...(sni !== null && { servername: sni }),
    ...(client !== null && { cert: pemOf(client), key: pemOf(client) }),
  }
  const socket = secured ? tlsConnect(options) : connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  return new Promise((resolve) => socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0))))
}

function questionOf({ sni, host, path, version, client, secured }: Shape, port: number): Question {
  const certificate = client === null ? null : { file: `${client}.pem`, pem: pemOf(client) }
  const tls: TlsQuestion | null = secured ? { serverName: sni, version, ciphers: null, certificate } : null
  return {
    method: 'GET',
    target: path,
    host,
    client: '127.0.0.1',
    localAddress: '127.0.0.1',
    localPort: port,
    credentials: null,
    headers: [],
    tls,
  }
}

/** A running server, and the same configuration for explanations. */
async function both(
  t: Test,
  more = '',
  keys: Readonly<Record<string, string>> = {},
): Promise<{ readonly port: number; readonly server: PolicyServer }> {
  const files = {
    ...Object.fromEntries(KEYS.map((name) => [`conf/${name}`, fixture(name)])),
    'conf/users': '/C=DE/O=Example Org/CN=alice:xxj31ZMTZzkVA\n',
  }
  const config = configuration(more)
  const running = await site({ modules: MODULES, config, files })
  t.teardown(() => running.close())
  const port = await running.listen()
  // Explanations do not need the server's own keys.
  const { root, remove } = serverRoot({ ...files, ...keys })
  t.teardown(remove)
  const configFile = join(root, 'httpd.conf')
  const text = `ServerName localhost\nListen ${port}\nDocumentRoot "${root}/docs"\n${config}`.replaceAll('@ROOT@', root)
  const server = await PolicyServer.open({
    program: 'test',
    serverRoot: root,
    configFile,
    defines: [],
    before: [],
    after: [],
    source: new TextSource(new Map([[configFile, text]]), new FileSource()),
    environment: {},
    report: () => undefined,
    builtIn: MODULES,
    skipDocumentRootCheck: true,
  })
  t.teardown(() => server.close())
  return { port, server }
}

function explained(server: PolicyServer, question: Question): Promise<Explanation> {
  return explain(server, question, { asHttpd: () => Promise.resolve(server) })
}

const PLANTS: Readonly<Record<string, (shape: Shape) => Shape>> = {
  'no server name is sent': (shape) => ({ ...shape, sni: null }),
  'the host of the URL is the server name': (shape) => ({ ...shape, sni: shape.host }),
  'no certificate is sent': (shape) => ({ ...shape, client: null }),
  'each certificate is good': (shape) => ({ ...shape, client: shape.client === null ? null : 'alice' }),
  'the version does not matter': (shape) => ({ ...shape, version: 'TLSv1.3' }),
  'plain HTTP counts as TLS': (shape) => ({ ...shape, secured: true }),
}

for (const more of ['', 'SSLVHostSNIPolicy strict', 'SSLStrictSNIVHostCheck on', 'SSLVHostSNIPolicy authonly'])
  t.test(
    `explain reports the status of the running server for generated connections (${more || 'default policy'})`,
    async (t) => {
      const { port, server } = await both(t, more)
      const seen = new Map<number, number>()
      const found = new Map(Object.keys(PLANTS).map((name) => [name, 0]))
      for (const shape of shapes(60, more.length + 7)) {
        const status = await visit(port, shape)
        const { response } = await server.ask(questionOf(shape, port))
        t.equal(response.status, status, JSON.stringify(shape))
        seen.set(status, (seen.get(status) ?? 0) + 1)
        for (const [name, plant] of Object.entries(PLANTS)) {
          const planted = await server.ask(questionOf(plant(shape), port))
          if (planted.response.status !== status) found.set(name, (found.get(name) ?? 0) + 1)
        }
      }
      for (const status of [0, 400, 403, 421]) t.ok((seen.get(status) ?? 0) > 0, `${status} occurs`)
      for (const [name, differences] of found) t.ok(differences > 0, `${name}: ${differences} differences`)
    },
  )

t.test('an explanation names the host, the certificates, what was asked for, and the lines about TLS', async (t) => {
  const { port, server } = await both(t)
  const ask = (shape: Partial<Shape>): Promise<Explanation> => {
    const usual: Shape = { sni: 'first.test', host: 'first.test', path: '/ssl', version: 'TLSv1.3', client: null, secured: true }
    return explained(server, questionOf({ ...usual, ...shape }, port))
  }
  const plain = await ask({ secured: false })
  t.match(plain, { status: 400, tls: null, access: 'not reached' })
  const good = await ask({ client: 'alice', path: '/require-ssl' })
  t.match(good, {
    status: 404,
    access: 'granted',
    tls: {
      serverName: 'first.test',
      host: { name: 'first.test' },
      protocol: 'TLSv1.3',
      serverCertificate: { subject: 'CN=localhost', file: /conf\/localhost\.crt$/ },
      asks: 'optional',
      depth: 2,
      clientCertificate: { subject: 'CN=Alice Liddell', file: 'alice.pem' },
      verification: 'ok',
      failure: '',
    },
    tlsDemands: [{ line: 'SSLRequireSSL', place: { file: /httpd\.conf$/ } }],
  })
  t.notOk(JSON.stringify(good).includes('PRIVATE KEY'), 'the key is not part of it')
  t.match((await ask({ client: 'alice', path: '/stricter' })).rule, { name: 'a module refuses' })
  t.match((await ask({ client: 'alice', path: '/stricter' })).log, [{ code: 'AH10158' }])
  const failed = await ask({ sni: 'required.test', host: 'required.test', version: 'TLSv1.2' })
  t.match(failed, {
    status: 0,
    access: 'not reached',
    tls: { host: { name: 'required.test' }, asks: 'require', failure: /the server ended the handshake|handshake failure/ },
  })
  t.match(await ask({ sni: null, host: 'other.test' }), { status: 421, tls: { serverName: null, host: { name: 'first.test' } } })
  t.match(await ask({ sni: 'other.test', host: 'other.test' }), { tls: { serverCertificate: { file: /conf\/b\.crt$/ } } })
  t.match(await ask({ sni: 'generous.test', host: 'generous.test', client: 'stranger', path: '/verified' }), {
    status: 403,
    tls: { asks: 'optional_no_ca', verification: /unable to/ },
  })
})

t.test('keys that a pass phrase protects do not prevent an explanation, and the certificate is still named', async (t) => {
  const { port, server } = await both(t, '', { 'conf/localhost.key': fixture('localhost-encrypted.key') })
  const shape: Shape = {
    sni: 'first.test',
    host: 'first.test',
    path: '/verified',
    version: 'TLSv1.3',
    client: 'alice',
    secured: true,
  }
  const explanation = await explained(server, questionOf(shape, port))
  t.match(explanation, {
    status: await visit(port, shape),
    tls: { serverCertificate: { subject: 'CN=localhost', file: /conf\/localhost\.crt$/ }, verification: 'ok' },
  })
  t.notMatch(explanation.log, [{ code: /AH0257[0-9]/ }])
  for (const one of shapes(25, 99))
    t.equal((await server.ask(questionOf(one, port))).response.status, await visit(port, one), JSON.stringify(one))
})
