/**
 * What access logs and error documents have of TLS where a folder refuses a client: by renegotiation in TLS 1.2, at once in
 * TLS 1.3. Apache httpd is asked the same.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import accessCompat from '../modules/mod_access_compat/src/index.ts'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import headers from '../modules/mod_headers/src/index.ts'
import logConfig from '../modules/mod_log_config/src/index.ts'
import ssl from '../modules/mod_ssl/src/index.ts'
import { until } from './fixtures/until.ts'
import { startHttpd } from './oracle-ssl-folders/httpd.ts'

const skip = spawnSync('apache2', ['-v']).status === 0 ? false : 'needs apache2'
const tls = (name: string): string => readFileSync(new URL(`conformance/fixtures/tls/${name}`, import.meta.url), 'latin1')

const ENVIRONMENT = [
  ...['HTTPS', 'SSL_TLS_SNI', 'SSL_PROTOCOL', 'SSL_CLIENT_VERIFY', 'SSL_CLIENT_S_DN_CN', 'SSL_SERVER_S_DN_CN'],
  ...['REDIRECT_HTTPS', 'REDIRECT_SSL_TLS_SNI', 'REDIRECT_STATUS'],
]
const VARIABLES = ['HTTPS', 'SSL_PROTOCOL', 'SSL_CLIENT_VERIFY', 'SSL_CLIENT_S_DN_CN', 'SSL_SESSION_RESUMED']
const OLD_NAMES = ['errcode', 'version', 'cipher', 'issuerdn']
const ITEMS = [
  ...['%>s', '%s', '%U', '%k'],
  ...ENVIRONMENT.map((name) => `%{${name}}e`),
  ...VARIABLES.map((name) => `%{${name}}x`),
  ...OLD_NAMES.map((name) => `%{${name}}c`),
]

const FOLDERS: Readonly<Record<string, string>> = {
  open: '',
  variables: 'SSLOptions +StdEnvVars',
  require: 'SSLVerifyClient require',
  'require-variables': 'SSLVerifyClient require\nSSLOptions +StdEnvVars',
  text: 'SSLVerifyClient require\nErrorDocument 403 "refused"',
  local: 'SSLVerifyClient require\nErrorDocument 403 /open/f.txt',
  'local-variables': 'SSLVerifyClient require\nErrorDocument 403 /variables/f.txt',
  circle: 'SSLVerifyClient require\nErrorDocument 403 /require/f.txt',
  away: 'SSLVerifyClient require\nErrorDocument 403 http://other.test/',
  plain: 'SSLRequireSSL\nSSLRequire false\nErrorDocument 403 /open/f.txt',
  denied: 'Require all denied\nErrorDocument 403 /open/f.txt',
  strict: 'SSLVerifyClient require\nSSLOptions +StrictRequire +StdEnvVars\nSatisfy Any',
  any: 'SSLVerifyClient optional_no_ca\nSSLOptions +StdEnvVars',
  optional: 'SSLVerifyClient optional',
  ciphers: 'SSLCipherSuite AES128-SHA256\nErrorDocument 403 /open/f.txt',
}

const config = (log: string): string => `LogLevel warn
LogFormat "${ITEMS.join('|')}" items
CustomLog "${log}" items
CustomLog "${log}.https" "%U" env=HTTPS
Header always set X-Https "%{HTTPS}e"
Header always set X-Verify "%{SSL_CLIENT_VERIFY}e"
Header always set X-Verified "%{SSL_CLIENT_VERIFY}s"
SSLEngine on
SSLCertificateFile "@ROOT@/conf/localhost.crt"
SSLCertificateKeyFile "@ROOT@/conf/localhost.key"
SSLCACertificateFile "@ROOT@/conf/ca.crt"
<Directory "@ROOT@/docs">
Require all granted
</Directory>
${Object.entries(FOLDERS)
  .map(([name, lines]) => `<Directory "@ROOT@/docs/${name}">\n${lines}\n</Directory>`)
  .join('\n')}`

const FILES = {
  ...Object.fromEntries(['localhost.crt', 'localhost.key', 'ca.crt'].map((name) => [`conf/${name}`, tls(name)])),
  ...Object.fromEntries(Object.keys(FOLDERS).map((name) => [`docs/${name}/f.txt`, `${name}\n`])),
}

interface Side {
  readonly port: number
  readonly log: string
}

const CLIENTS: readonly (readonly [string | null, string])[] = [
  [null, ''],
  ['alice', 'alice'],
  ['stranger', 'stranger'],
  ['expired', 'expired'],
]

/** The status, fields and body that a client gets; '' of a connection that ends. */
function ask(
  port: number,
  path: string,
  certificate: string | null,
  key: string,
  version: 'TLSv1.2' | 'TLSv1.3',
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      rejectUnauthorized: false,
      minVersion: version,
      maxVersion: version,
      ...(certificate !== null && { cert: tls(`${certificate}.crt`), key: tls(`${key}.key`) }),
    })
    let text = ''
    socket.setTimeout(30_000, () => socket.destroy(new Error('no response')))
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? ''
      const fields = [...text.matchAll(/^(X-\w+: .*|Location: .*)\r$/gm)].map(([, field]) => field)
      resolve([status, ...fields.sort()].join(', '))
    })
  })
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'latin1').split('\n').slice(0, -1) : []

/** What a client gets, and the lines that the logs have of it. */
async function behaviour(side: Side, visit: (port: number) => Promise<string>): Promise<string> {
  const [before, conditional] = [linesOf(side.log).length, linesOf(`${side.log}.https`).length]
  const answer = await visit(side.port)
  await until('a request is logged', () => linesOf(side.log).length > before)
  return `${answer}\n${linesOf(side.log).slice(before).join('\n')}\n${linesOf(`${side.log}.https`).slice(conditional).join('\n')}`
}

async function sides(t: Test): Promise<readonly [Side, Side]> {
  const folder = mkdtempSync(join(tmpdir(), 'refused-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [theirLog, ourLog] = [join(folder, 'httpd'), join(folder, 'ours')]
  const httpd = await startHttpd(config(theirLog), FILES)
  t.teardown(() => httpd.stop())
  const server = await site({ modules: [authzCore, accessCompat, headers, logConfig, ssl], config: config(ourLog), files: FILES })
  t.teardown(() => server.close())
  return [
    { port: httpd.port, log: theirLog },
    { port: await server.listen(), log: ourLog },
  ]
}

t.test('a refused client is logged, and gets error documents, as with httpd', { skip }, async (t) => {
  const [theirs, ours] = await sides(t)
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    for (const folder of Object.keys(FOLDERS)) {
      for (const [certificate, key] of CLIENTS) {
        const visit = (port: number): Promise<string> => ask(port, `/${folder}/f.txt`, certificate, key, version)
        t.equal(await behaviour(ours, visit), await behaviour(theirs, visit), `${version} ${folder} ${certificate}`)
      }
    }
  }
})
