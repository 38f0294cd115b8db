import { moduleLog, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzHost from '../../mod_authz_host/src/index.ts'
import accessCompat from '../src/index.ts'

const A = '127.0.0.1'
const B = '127.0.0.2'
/** A file below the folder and the URL of the sections. */
const TARGET = '/server-status/f.txt'

async function configured(t: Test, config: string, options: SiteOptions = {}): Promise<TestServer> {
  const server = await site({
    modules: [authnCore, authzCore, authzHost, accessCompat],
    config,
    defines: options.defines,
    files: {
      [`docs${TARGET}`]: 'x',
      'docs/server-status/.htpasswd': 'x',
      'docs/f.txt': 'x',
      'docs/a/b/f.txt': 'x',
      ...options.files,
    },
  })
  t.teardown(() => server.close())
  return server
}

async function statuses(t: Test, config: string, target: string = TARGET): Promise<number[]> {
  const server = await configured(t, config)
  const status = async (remoteAddress: string): Promise<number> => (await server.inject({ target, remoteAddress })).status
  return [await status(A), await status(B)]
}

const directory = (lines: string): string => `<Directory "/">\n${lines}\n</Directory>\n`
const location = (lines: string): string => `<Location "/server-status">\n${lines}\n</Location>\n`
const OLD = 'Order deny,allow\nDeny from all\nAllow from 127.0.0.1'

t.test('host rules in a URL section replace the Require directives about hosts in folder sections', async (t) => {
  t.same(await statuses(t, directory('Require all denied') + location(OLD)), [200, 403])
  const tree = '<RequireAll>\nRequire all granted\nRequire not ip 127.0.0.1\n</RequireAll>\nRequire host x.example\nRequire local'
  t.same(await statuses(t, directory(tree) + location('Order deny,allow\nDeny from 127.0.0.2')), [200, 403])
  const joined = `${directory('Require all denied')}<DirectoryMatch "/docs">\nAuthMerging And\nRequire local\n</DirectoryMatch>\n`
  t.same(await statuses(t, `${joined}<LocationMatch "^/s">\n${OLD}\n</LocationMatch>`), [200, 403], 'patterns, and joined trees')
})

t.test('host rules between two folders, or of any section within another, override no Require', async (t) => {
  const closed = directory('Require all denied')
  const rows: [string, string][] = [
    ['a folder below', `${closed}<Directory "@ROOT@/docs">\n${OLD}\n</Directory>`],
    ['a pattern of folders', `${closed}<DirectoryMatch "/docs$">\n${OLD}\n</DirectoryMatch>`],
    ['files', `${closed}<Files "*">\n${OLD}\n</Files>`],
    ['a condition', `${closed}<If "true">\n${OLD}\n</If>`],
    ['a condition over the URL section', `${closed}${location(OLD)}<If "true">\n${OLD}\n</If>`],
    ['a URL section within another', `<Location "/">\nRequire all denied\n</Location>\n${location(OLD)}`],
    [
      'a URL section that joins the tree',
      `${closed}<Location "/">\nAuthMerging And\nRequire local\n</Location>\n${location(OLD)}`,
    ],
  ]
  for (const [name, text] of rows) t.same(await statuses(t, text), [403, 403], name)
})

t.test('a denial by file name applies whatever a URL section contains, alone or joined to the tree of a folder', async (t) => {
  const ban = '<Files ".ht*">\nRequire all denied\n</Files>\n'
  t.same(await statuses(t, directory('Require all granted') + ban + location(OLD), '/server-status/.htpasswd'), [403, 403])
  const joined = '<Files ".ht*">\nAuthMerging And\nRequire all denied\n</Files>\n'
  t.same(await statuses(t, directory('Require all granted') + joined + location(OLD), '/server-status/.htpasswd'), [403, 403])
})

t.test('a .htaccess file never grants what the configuration of the server denies', async (t) => {
  const config = directory('AllowOverride All\nRequire all denied') + location('Require all granted')
  const server = await configured(t, config, { files: { 'docs/.htaccess': OLD } })
  t.equal((await server.inject('/f.txt')).status, 403)
})

t.test('a Require of a .htaccess file applies whatever a URL section contains', async (t) => {
  const config = directory('AllowOverride All\nRequire all granted') + location(OLD)
  const server = await configured(t, config, { files: { 'docs/.htaccess': 'Require all denied' } })
  t.equal((await server.inject(TARGET)).status, 403)
})

t.test('with AccessCompatPrecedence httpd both decide', async (t) => {
  const server = await configured(t, `${directory('Require all denied')}${location(OLD)}AccessCompatPrecedence httpd`)
  t.equal((await server.inject({ target: TARGET, remoteAddress: A })).status, 403)
  t.match(server.errors().join('\n'), /AH01630/)
  t.notMatch(server.errors().join('\n'), /AH01797/)
  t.equal((await server.inject({ target: TARGET, remoteAddress: B })).status, 403)
  t.match(server.errors().join('\n'), /AH01797/)
})

t.test('in every other case both must grant', async (t) => {
  const rows: [string, string, number[]][] = [
    ['same section', directory(`${OLD}\nRequire ip 127.0.0.2`), [403, 403]],
    ['Require more specific', directory('Order allow,deny\nAllow from all') + location('Require all denied'), [403, 403]],
    ['Require local below a refusal', directory('Order deny,allow\nDeny from all') + location('Require local'), [403, 403]],
    ['another provider in the tree', directory('Require all denied\nRequire env X') + location(OLD), [403, 403]],
    ['Satisfy alone', directory('Require all denied') + location('Satisfy All'), [403, 403]],
    ['rules for other methods', directory('Require all denied') + location(`<Limit POST>\n${OLD}\n</Limit>`), [403, 403]],
    ['no Require', directory('Order deny,allow\nDeny from all') + location(OLD), [200, 403]],
    ['tree dropped', directory('Require all denied') + location(`${OLD}\nAuthMerging Off`), [200, 403]],
  ]
  for (const [name, text, expected] of rows) t.same(await statuses(t, text), expected, name)
})

t.test('Satisfy Any determines how the two combine: Require decides about clients that the host rules deny', async (t) => {
  t.same(await statuses(t, directory('Require all denied') + location(`${OLD}\nSatisfy Any`)), [200, 403])
  t.same(await statuses(t, directory('Require ip 127.0.0.2') + location(`${OLD}\nSatisfy Any`)), [200, 200])
})

t.test('an inherited AuthType does not matter if the host rules decide alone', async (t) => {
  t.same(await statuses(t, directory('AuthType Basic\nAuthName R\nRequire all denied') + location(OLD)), [200, 403])
})

t.test('rules and Require of one walk keep their own positions: two URL sections must both grant', async (t) => {
  const closed = '<Location /a>\nRequire all denied\n</Location>\n<Location /a/b>\nOrder allow,deny\nAllow from all\n</Location>'
  t.same(await statuses(t, closed, '/a/b/f.txt'), [403, 403])
  const turned = '<Location /a>\nOrder allow,deny\nAllow from all\n</Location>\n<Location /a/b>\nRequire all denied\n</Location>'
  t.same(await statuses(t, turned, '/a/b/f.txt'), [403, 403])
})

/** The warnings of a test of the configuration. */
async function warnings(t: Test, text: string, defines?: readonly string[]): Promise<string[]> {
  const server = await configured(t, text, { defines })
  await server.configuration.testConfig(() => undefined)
  return moduleLog(server, 'access_compat')
}

t.test('-t warns once about each pair of sections that httpd would treat differently', async (t) => {
  const [warning, ...others] = await warnings(t, directory('Require all denied') + location(OLD))
  t.match(
    warning,
    /^warn <Location "\/server-status"> \(.*conf\/httpd.conf:6\) .* <Directory "\/"> \(.*conf\/httpd.conf:3\) .*AccessCompatPrecedence httpd/,
  )
  t.same(others, [])
  const below = '<Directory "@ROOT@/docs">\nRequire ip 10.1\n</Directory>\n'
  t.match(
    await warnings(t, directory('Require all denied') + below + location(OLD)),
    [/<Directory ".*\/docs">/],
    'the last section that contributes',
  )
  const outside = '<Directory /other>\nRequire ip 10.1\n</Directory>\n'
  t.match(
    await warnings(t, outside + directory('Require all denied') + location(OLD)),
    [/<Directory "\/">/],
    'sections of other paths do not matter',
  )
})

t.test('-t does not warn if nothing changes or nothing is known', async (t) => {
  const rows: [string, string][] = [
    ['httpd', `${directory('Require all denied')}${location(OLD)}AccessCompatPrecedence httpd`],
    ['all granted', directory('Require all granted') + location(OLD)],
    ['a user in the tree', directory('Require all denied\nRequire env X') + location(OLD)],
    ['a Require in the section', directory('Require all denied') + location(`${OLD}\nRequire local`)],
    ['Satisfy Any', directory('Require all denied') + location(`${OLD}\nSatisfy Any`)],
    ['Require more specific', location('Require all denied') + directory(OLD)],
    ['two folders', `${directory('Require all denied')}<Directory "@ROOT@/docs">\n${OLD}\n</Directory>`],
    ['files', `${directory('Require all denied')}<Files "*">\n${OLD}\n</Files>`],
    ['two URL sections', `<Location />\nRequire all denied\n</Location>\n${location(OLD)}`],
    [
      'a URL section that joins',
      `${directory('Require all denied')}<Location />\nAuthMerging And\nRequire local\n</Location>\n${location(OLD)}`,
    ],
    ['elsewhere', `<Location /other>\nRequire all denied\n</Location>\n${location(OLD)}`],
    [
      'tree dropped in between',
      `${directory('Require all denied')}<Directory "@ROOT@/docs">\nAuthMerging Off\n</Directory>\n${location(OLD)}`,
    ],
  ]
  for (const [name, text] of rows) t.same(await warnings(t, text), [], name)
  t.same(await warnings(t, directory('Require all denied') + location(OLD), ['DUMP_MODULES']), [], 'a dump')
})
