import { moduleFindings } from '@gatewright/policy'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import ssl from '../src/index.ts'
import { lintSite } from './support/lint-site.ts'
import { visitServer } from './support/visit.ts'
import { fixture, fixtures } from './support.ts'

const FILES = fixtures('localhost.crt', 'localhost.key', 'ca.crt')
const TLS = `SSLEngine on
SSLCertificateFile conf/localhost.crt
SSLCertificateKeyFile conf/localhost.key
SSLCACertificateFile conf/ca.crt`
const MODES = ['', 'none', 'optional', 'optional_no_ca', 'require']
const DEPTHS = ['', '0', '1', '2', '3']

/** Every demand that a section can have, each in a section of its own. */
const DEMANDS = MODES.flatMap((mode) => DEPTHS.map((depth) => ({ mode, depth, path: `/${mode}-${depth}` })))

function lines(mode: string, depth: string): string {
  return `${mode === '' ? '' : `SSLVerifyClient ${mode}\n`}${depth === '' ? '' : `SSLVerifyDepth ${depth}\n`}`
}

async function compare(t: Test, mode: string, depth: string): Promise<void> {
  const sections = DEMANDS.map((one) => `<Location "${one.path}">\n${lines(one.mode, one.depth)}</Location>`)
  const config = `${TLS}\n${lines(mode, depth)}${sections.join('\n')}`
  const server = await site({ modules: [authzCore, ssl], config, files: FILES })
  t.teardown(() => server.close())
  const port = await server.listen()
  const reported = new Set(moduleFindings(server.configuration, { isWanted: (id) => id === 'SSL001' }).map(({ line }) => line))
  const certificate = {
    cert: fixture('alice.crt'),
    key: fixture('alice.key'),
    ca: fixture('ca.crt'),
    minVersion: 'TLSv1.3',
  } as const
  for (const { path } of DEMANDS) {
    const at = server.configuration.sections.find(({ argument }) => argument === path)?.line ?? 0
    const { text } = await visitServer(port, certificate, path)
    const refused = server.errors().some((line) => line.includes('AH10158'))
    t.equal(
      reported.has(at),
      text.startsWith('HTTP/1.1 403') && refused,
      `server ${mode} ${depth}, section ${path}: ${text.slice(0, 12)}`,
    )
  }
}

for (const [mode, depth] of [
  ['', ''],
  ['optional', '1'],
  ['optional', '3'],
  ['require', '2'],
  ['optional_no_ca', ''],
])
  t.test(`sections below a server with verification '${mode}' of depth '${depth}' are reported where TLS 1.3 gets 403`, (t) =>
    compare(t, mode, depth),
  )

t.test('the hint names the line, the server and what to do', async (t) => {
  const { hints, root } = await lintSite(t, {
    config: `${TLS}\n<Location "/a">\nSSLVerifyClient require\n</Location>\n<Location "/b">\nSSLCipherSuite AES256-SHA\n</Location>`,
    files: FILES,
  })
  t.equal(hints.length, 2)
  t.match(
    hints[0],
    new RegExp(
      `^${root}/httpd\\.conf:6: SSLVerifyClient require in <Location "/a"> is stricter than the server localhost:443 \\(SSLVerifyClient none\\): requests with TLS 1\\.3 get 403 \\(AH10158\\), .*: set SSLVerifyClient optional or require for the server`,
    ),
  )
  t.match(hints[1], /httpd\.conf:9: SSLCipherSuite AES256-SHA in <Location "\/b"> has no effect on clients with TLS 1\.3/)
})

t.test('nothing is reported where TLS 1.3 is excluded, in a host without TLS, or in folders of other hosts', async (t) => {
  const folder = '<Location "/a">\nSSLVerifyClient require\n</Location>'
  for (const config of [
    `${TLS}\nSSLProtocol all -TLSv1.3\n${folder}`,
    `${TLS}\nSSLOpenSSLConfCmd MaxProtocol TLSv1.2\n${folder}`,
    `${TLS}\nSSLEngine off\n${folder}`,
    `Listen 443\n<VirtualHost *:443>\nServerName tls.test\n${TLS}\n</VirtualHost>\n<VirtualHost *:80>\nServerName plain.test\n${folder}\n</VirtualHost>`,
  ])
    t.strictSame((await lintSite(t, { config, files: FILES })).hints, [], config)
})

t.test('a folder concerns the host whose documents are there, and a .htaccess file all that read it', async (t) => {
  const host = (name: string, root: string, more: string): string =>
    `<VirtualHost *:443>\nServerName ${name}\nDocumentRoot "@ROOT@/${root}"\n${TLS}\n${more}\n</VirtualHost>`
  const config = (folder: string): string =>
    `Listen 443\n<Directory "@ROOT@/${folder}">\nAllowOverride All\nSSLVerifyClient require\n</Directory>\n${host('one.test', 'one', 'SSLProtocol all -TLSv1.3')}\n${host('two.test', 'two', '')}`
  const files = { ...FILES, 'one/f.txt': 'one', 'two/f.txt': 'two', 'two/.htaccess': 'SSLVerifyClient require\n' }
  t.match((await lintSite(t, { config: config('two'), files })).hints, [/the server two\.test:443/])
  const found = await lintSite(t, { config: config('two').replace('SSLVerifyClient', '#'), files, opened: true })
  t.strictSame(
    found.findings
      .filter(({ rule }) => rule === 'SSL001')
      .map(({ rule, file, line }) => [rule, file.replace(found.root, ''), line]),
    [['SSL001', '/two/.htaccess', 1]],
  )
})
