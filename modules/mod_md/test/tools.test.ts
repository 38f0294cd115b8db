import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FileSource, TextSource } from '@gatewright/core'
import { PolicyServer } from '@gatewright/policy'
import { serverRoot, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import ssl from '../../mod_ssl/src/index.ts'
import md from '../src/index.ts'

const MODULES = [authzCore, ssl, md]
const CONFIG =
  'MDInitialDelay 1h\nMDContactEmail a@example.org\nMDCertificateAuthority https://localhost:1/dir\nMDomain a.example.org\n' +
  '<VirtualHost *:80>\nServerName a.example.org\nSSLEngine on\n</VirtualHost>'
/** Opens a configuration as explain, lint and check do. */
function open(root: string): Promise<PolicyServer> {
  const configFile = join(root, 'conf/httpd.conf')
  return PolicyServer.open({
    program: 'test',
    serverRoot: root,
    configFile,
    defines: [],
    before: [],
    after: [],
    source: new TextSource(new Map([[configFile, `Listen 80\nServerName localhost\n${CONFIG}\n`]]), new FileSource()),
    environment: {},
    report: () => undefined,
    builtIn: MODULES,
    skipDocumentRootCheck: true,
  })
}

function entries(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
}

t.test('a tool makes neither a store nor a certificate for a domain', async (t) => {
  const { root, remove } = serverRoot({ 'htdocs/index.html': 'home' })
  t.teardown(remove)
  const before = entries(root)
  await open(root)
  t.same(entries(root), before)
})

t.test('a tool leaves the store of a server as it is', async (t) => {
  const server = await site({ modules: MODULES, config: CONFIG })
  t.teardown(() => server.close())
  const store = join(server.serverRoot, 'md')
  // What the next start would change back.
  chmodSync(store, 0o711)
  const before = entries(store)
  await open(server.serverRoot)
  t.same(entries(store), before)
  t.equal(statSync(store).mode & 0o777, 0o711)
})
