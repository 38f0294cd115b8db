import { join } from 'node:path'
import { FileSource, loadConfiguration, TextSource } from '@gatewright/core'
import { serverRoot } from '@gatewright/testing'
import t, { type Test } from 'tap'
import ssl from '../src/index.ts'
import { fixtures } from './support.ts'

async function dump(t: Test, config: string, defines: readonly string[] = ['DUMP_CERTS']): Promise<readonly string[]> {
  const { root, remove } = serverRoot(
    fixtures('a.crt', 'b.crt', 'ca.crt', 'localhost.crt', 'localhost-ec.crt', 'expired-server.crt', 'future.crt'),
  )
  t.teardown(remove)
  const configFile = join(root, 'httpd.conf')
  const configuration = await loadConfiguration({
    program: 'test',
    serverRoot: root,
    configFile,
    defines,
    before: [],
    after: [],
    source: new TextSource(new Map([[configFile, `ServerName localhost\nListen 443\n${config}`]]), new FileSource()),
    environment: {},
    report: () => undefined,
    builtIn: [ssl],
    checkOnly: true,
    skipDocumentRootCheck: true,
  })
  const lines: string[] = []
  await configuration.testConfig((line) => void lines.push(line.replace(`${root}/conf/`, '')))
  return lines
}

function host(...files: readonly string[]): string {
  return `<VirtualHost *:443>\n${files.map((file) => `SSLCertificateFile conf/${file}`).join('\n')}\n</VirtualHost>\n`
}

// Apache httpd 2.4.71 prints the same lines for these configurations.
t.test('the main server comes first, then the virtual hosts from the last to the first, with inherited files', async (t) => {
  const config = `SSLCertificateFile conf/ca.crt\n${host('a.crt')}${host('b.crt', 'localhost.crt')}${host('b.crt')}${host('localhost-ec.crt')}`
  const files = ['ca.crt', 'localhost-ec.crt', 'b.crt', 'b.crt', 'localhost.crt', 'a.crt']
  t.strictSame(await dump(t, config), ['Server certificates:', ...files.map((file) => `  ${file}`)])
  t.strictSame(await dump(t, `SSLCertificateFile conf/ca.crt\n${host('a.crt')}${host()}`), [
    'Server certificates:',
    '  ca.crt',
    '  ca.crt',
    '  a.crt',
  ])
})

t.test('without certificates only the title is printed, and without the word nothing', async (t) => {
  t.strictSame(await dump(t, host()), ['Server certificates:'])
  t.strictSame(await dump(t, host('a.crt'), []), [])
})

t.test('-S shows until when the certificates of secured servers are valid', async (t) => {
  const secured = (files: string): string => `<VirtualHost *:443>\nServerName s.test\nSSLEngine on\n${files}\n</VirtualHost>\n`
  const config = `${host('b.crt')}${secured('SSLCertificateFile conf/a.crt\nSSLCertificateFile conf/expired-server.crt')}${secured('SSLCertificateFile conf/future.crt')}`
  const lines = await dump(t, config, ['DUMP_VHOSTS'])
  t.match(lines, [
    'Certificates:',
    /^ {2}s\.test:443 a\.crt expires on 20\d\d-\d\d-\d\d, in \d+ days$/,
    /^ {2}s\.test:443 expired-server\.crt expired on \d{4}-\d\d-\d\d$/,
    /^ {2}s\.test:443 future\.crt is not valid before \d{4}-\d\d-\d\d$/,
  ])
  t.strictSame(await dump(t, `${host('b.crt')}`, ['DUMP_VHOSTS']), [], 'nothing for servers without TLS')
})
