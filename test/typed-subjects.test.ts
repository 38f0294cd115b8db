/**
 * SSLOptions +FakeBasicAuth makes a certificate's subject and a well-known password the credentials of a request. Nobody
 * without the certificate may get in by typing them, however they are written. Apache httpd is asked the same.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { site } from '@gatewright/testing'
import t from 'tap'
import authBasic from '../modules/mod_auth_basic/src/index.ts'
import authnCore from '../modules/mod_authn_core/src/index.ts'
import authnFile from '../modules/mod_authn_file/src/index.ts'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import authzUser from '../modules/mod_authz_user/src/index.ts'
import ssl from '../modules/mod_ssl/src/index.ts'
import { startHttpd } from './oracle-ssl-folders/httpd.ts'

const skip = spawnSync('apache2', ['-v']).status === 0 ? false : 'needs apache2'

const tls = (name: string): string => readFileSync(new URL(`conformance/fixtures/tls/${name}`, import.meta.url), 'latin1')

/** Crypt of the word `password`, of which crypt reads no more than eight characters. */
const HASH = 'xxj31ZMTZzkVA'
const SUBJECT = '/C=DE/CN=alice'

const CONFIG = `SSLEngine on
SSLCertificateFile "@ROOT@/conf/localhost.crt"
SSLCertificateKeyFile "@ROOT@/conf/localhost.key"
<Directory "@ROOT@/docs">
AuthType Basic
AuthName r
AuthBasicProvider file
AuthUserFile "@ROOT@/conf/users"
Require valid-user
SSLOptions +FakeBasicAuth
</Directory>`

const FILES = {
  'conf/localhost.crt': tls('localhost.crt'),
  'conf/localhost.key': tls('localhost.key'),
  'conf/users': [SUBJECT, 'plain', 'C=DE/CN=alice', '//CN=alice', '/'].map((user) => `${user}:${HASH}\n`).join(''),
  'docs/f.txt': 'in\n',
}

/** Credentials as they are typed; bytes of the text are characters. */
const TYPED: readonly string[] = [
  'plain:password',
  'plain:password\0',
  'plain:wrong',
  `${SUBJECT}:password`,
  `${SUBJECT}:password\0`,
  `${SUBJECT}:password\0\0\0`,
  `${SUBJECT}:password\0more`,
  `${SUBJECT}:password\0:password`,
  `${SUBJECT}\0:password`,
  `${SUBJECT}\0`,
  `\0${SUBJECT}:password`,
  `${SUBJECT}:\0password`,
  `${SUBJECT}:pass\0word`,
  `${SUBJECT}:PASSWORD`,
  `${SUBJECT}:Password\0`,
  `${SUBJECT}:`,
  SUBJECT,
  `${SUBJECT}::password`,
  `/${SUBJECT}:password`,
  '//CN=alice:password',
  '//CN=alice:password\0',
  '/:password\0',
  'C=DE/CN=alice:password',
  'C=DE/CN=alice:password\0',
  ` ${SUBJECT}:password`,
  `${SUBJECT} :password\0`,
  `${SUBJECT.toLowerCase()}:password\0`,
]

/** httpd lets these in: crypt reads eight characters, and httpd compares all of them. */
const LONGER: readonly string[] = [`${SUBJECT}:password1`, `${SUBJECT}:passwordx\0`, `${SUBJECT}:password:`]

const SCHEMES: readonly ((encoded: string) => string)[] = [
  (encoded) => `Authorization: Basic ${encoded}`,
  (encoded) => `Authorization: bAsIc ${encoded}`,
  (encoded) => `authorization: BASIC  ${encoded}`,
  (encoded) => `Authorization: Basic \t ${encoded}`,
  (encoded) => `Authorization: Basic\t${encoded}`,
  (encoded) => `Authorization: Basic ${encoded} more`,
  (encoded) => `Authorization: Basic ${encoded}!`,
  (encoded) => `Authorization: Basic ${encoded.replace(/=+$/, '')}`,
  (encoded) => `Authorization: Basic ${encoded}\r\nAuthorization: Basic cGxhaW46d3Jvbmc=`,
  (encoded) => `Authorization: Basic cGxhaW46d3Jvbmc=\r\nAuthorization: Basic ${encoded}`,
  (encoded) => `Proxy-Authorization: Basic ${encoded}`,
]

/** The status of a request without a certificate. */
function ask(port: number, fields: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
    let text = ''
    socket.setTimeout(30_000, () => socket.destroy(new Error('no response')))
    socket.write(`GET /f.txt HTTP/1.1\r\nHost: localhost\r\n${fields}\r\nConnection: close\r\n\r\n`)
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? ''))
  })
}

const encode = (typed: string): string => Buffer.from(typed, 'latin1').toString('base64')

t.test('nobody types the credentials of a certificate, in any form', async (t) => {
  const server = await site({
    modules: [authzCore, authzUser, authnCore, authnFile, authBasic, ssl],
    config: CONFIG,
    files: FILES,
  })
  t.teardown(() => server.close())
  const port = await server.listen()
  for (const typed of [...TYPED, ...LONGER].filter((text) => text.startsWith('/'))) {
    for (const scheme of SCHEMES) {
      const fields = scheme(encode(typed))
      t.match(await ask(port, fields), /^40[013]$/, JSON.stringify([typed, scheme('x')]))
    }
  }
  t.equal(await ask(port, SCHEMES[0](encode('plain:password'))), '200')
})

t.test('each form of typed credentials has the status that httpd gives it', { skip }, async (t) => {
  const httpd = await startHttpd(CONFIG, FILES)
  t.teardown(() => httpd.stop())
  const server = await site({
    modules: [authzCore, authzUser, authnCore, authnFile, authBasic, ssl],
    config: CONFIG,
    files: FILES,
  })
  t.teardown(() => server.close())
  const port = await server.listen()
  for (const typed of TYPED) {
    for (const scheme of SCHEMES) {
      const fields = scheme(encode(typed))
      t.equal(await ask(port, fields), await ask(httpd.port, fields), JSON.stringify([typed, scheme('x')]))
    }
  }
})
