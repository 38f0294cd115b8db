import { authTypeOf } from '@gatewright/api/peers'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { authorize, FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import type { RequestFacts } from '../../mod_authz_core/test/fakes/fake-request.ts'
import authzHost from '../../mod_authz_host/src/index.ts'
import accessCompat from '../src/index.ts'

const A = '127.0.0.1'
const B = '127.0.0.2'

function configured(text: string): FakeHost {
  const host = new FakeHost([authzCore, authzHost, accessCompat])
  host.logs.level = 'warn'
  const error = host.configure(text)
  if (error !== undefined) throw new Error(error)
  return host
}

async function statuses(text: string, facts: RequestFacts = {}, satisfy?: 'any'): Promise<number[]> {
  const host = configured(text)
  return [
    await authorize(host, host.request({ ...facts, from: A }), satisfy),
    await authorize(host, host.request({ ...facts, from: B }), satisfy),
  ]
}

const directory = (lines: string): string => `<Directory "/">\n${lines}\n</Directory>\n`
const location = (lines: string): string => `<Location "/server-status">\n${lines}\n</Location>\n`
const OLD = 'Order deny,allow\nDeny from all\nAllow from 127.0.0.1'

t.test('host rules in a URL section replace the Require directives about hosts in folder sections', async (t) => {
  t.same(await statuses(directory('Require all denied') + location(OLD)), [200, 403])
  const tree = '<RequireAll>\nRequire all granted\nRequire not ip 127.0.0.1\n</RequireAll>\nRequire host x.example\nRequire local'
  t.same(await statuses(directory(tree) + location('Order deny,allow\nDeny from 127.0.0.2')), [200, 403])
  const joined = `${directory('Require all denied')}<DirectoryMatch "/docs">\nAuthMerging And\nRequire local\n</DirectoryMatch>\n`
  t.same(await statuses(`${joined}<LocationMatch "^/s">\n${OLD}\n</LocationMatch>`), [200, 403], 'patterns, and joined trees')
})

t.test('host rules between two folders, or of any section within another, override no Require', async (t) => {
  const closed = directory('Require all denied')
  const rows: [string, string][] = [
    ['a folder below', `${closed}<Directory "/docs">\n${OLD}\n</Directory>`],
    ['a pattern of folders', `${closed}<DirectoryMatch "^/docs">\n${OLD}\n</DirectoryMatch>`],
    ['files', `${closed}<Files "*">\n${OLD}\n</Files>`],
    ['a condition', `${closed}<If "true">\n${OLD}\n</If>`],
    ['a condition over the URL section', `${closed}${location(OLD)}<If "true">\n${OLD}\n</If>`],
    ['a URL section within another', `<Location "/">\nRequire all denied\n</Location>\n${location(OLD)}`],
    [
      'a URL section that joins the tree',
      `${closed}<Location "/">\nAuthMerging And\nRequire local\n</Location>\n${location(OLD)}`,
    ],
  ]
  for (const [name, text] of rows) t.same(await statuses(text), [403, 403], name)
})

t.test('a denial by file name applies whatever a URL section contains, alone or joined to the tree of a folder', async (t) => {
  const ban = '<Files ".ht*">\nRequire all denied\n</Files>\n'
  t.same(await statuses(directory('Require all granted') + ban + location(OLD)), [403, 403])
  const joined = '<Files ".ht*">\nAuthMerging And\nRequire all denied\n</Files>\n'
  t.same(await statuses(directory('Require all granted') + joined + location(OLD)), [403, 403])
})

t.test('a .htaccess file never grants what the configuration of the server denies', async (t) => {
  const host = configured(directory('Require all denied') + location('Require all granted'))
  const file = host.htaccess('/docs/.htaccess', OLD)
  if (typeof file === 'string') throw new Error(file)
  t.equal(await authorize(host, host.request({ from: A }, [host.section('/'), file])), 403)
})

t.test('a Require of a .htaccess file applies whatever a URL section contains', async (t) => {
  const host = configured(directory('Require all granted') + location(OLD))
  const file = host.htaccess('/docs/.htaccess', 'Require all denied')
  if (typeof file === 'string') throw new Error(file)
  const sections = [host.section('/'), file, host.section('/server-status')]
  t.equal(await authorize(host, host.request({ from: A }, sections)), 403)
})

t.test('with AccessCompatPrecedence httpd both decide', async (t) => {
  const host = configured(`${directory('Require all denied')}${location(OLD)}AccessCompatPrecedence httpd`)
  t.equal(await authorize(host, host.request({ from: A })), 403)
  t.match(host.logs.take(), [/AH01630/])
  t.equal(await authorize(host, host.request({ from: B })), 403)
  t.match(host.logs.take(), [/AH01797/])
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
  for (const [name, text, expected] of rows) t.same(await statuses(text), expected, name)
})

t.test('Satisfy Any determines how the two combine: Require decides about clients that the host rules deny', async (t) => {
  t.same(await statuses(directory('Require all denied') + location(`${OLD}\nSatisfy Any`), {}, 'any'), [200, 403])
  t.same(await statuses(directory('Require ip 127.0.0.2') + location(`${OLD}\nSatisfy Any`), {}, 'any'), [200, 200])
})

t.test('an inherited AuthType does not matter if the host rules decide alone', async (t) => {
  const host = configured(directory('Require all denied') + location(OLD))
  host.functions.offer(authTypeOf, () => 'Basic')
  t.equal(await authorize(host, host.request({ from: A })), 200)
})

t.test('rules and Require of one walk keep their own positions: two URL sections must both grant', async (t) => {
  const host = configured(
    '<Location /a>\nRequire all denied\n</Location>\n<Location /a/b>\nOrder allow,deny\nAllow from all\n</Location>',
  )
  t.equal(await authorize(host, host.request({}, [host.sections])), 403)
  const turned = configured(
    '<Location /a>\nOrder allow,deny\nAllow from all\n</Location>\n<Location /a/b>\nRequire all denied\n</Location>',
  )
  t.equal(await authorize(turned, turned.request({}, [turned.sections])), 403)
})

function warnings(text: string, defined?: readonly string[]): string[] {
  const host = configured(text)
  host.testConfig(defined)
  return host.logs.take()
}

t.test('-t warns once about each pair of sections that httpd would treat differently', async (t) => {
  const [warning, ...others] = warnings(directory('Require all denied') + location(OLD))
  t.match(
    warning,
    /^access_compat:warn <Location "\/server-status"> \(httpd.conf:4\) .* <Directory "\/"> \(httpd.conf:1\) .*AccessCompatPrecedence httpd/,
  )
  t.same(others, [])
  const below = '<Directory /docs>\nRequire ip 10.1\n</Directory>\n'
  t.match(
    warnings(directory('Require all denied') + below + location(OLD)),
    [/<Directory "\/docs">/],
    'the last section that contributes',
  )
  const outside = '<Directory /other>\nRequire ip 10.1\n</Directory>\n'
  t.match(
    warnings(outside + directory('Require all denied') + location(OLD)),
    [/<Directory "\/">/],
    'sections of other paths do not matter',
  )
})

t.test('-t does not warn if nothing changes or nothing is known', async (t) => {
  const rows: [string, string][] = [
    ['httpd', `${directory('Require all denied')}${location(OLD)}AccessCompatPrecedence httpd`],
    ['everybody granted', directory('Require all granted') + location(OLD)],
    ['a user in the tree', directory('Require all denied\nRequire env X') + location(OLD)],
    ['Require of its own', directory('Require all denied') + location(`${OLD}\nRequire local`)],
    ['Satisfy Any', directory('Require all denied') + location(`${OLD}\nSatisfy Any`)],
    ['Require more specific', location('Require all denied') + directory(OLD)],
    ['two folders', `${directory('Require all denied')}<Directory /docs>\n${OLD}\n</Directory>`],
    ['files', `${directory('Require all denied')}<Files "*">\n${OLD}\n</Files>`],
    ['two URL sections', `<Location />\nRequire all denied\n</Location>\n${location(OLD)}`],
    [
      'a URL section that joins',
      `${directory('Require all denied')}<Location />\nAuthMerging And\nRequire local\n</Location>\n${location(OLD)}`,
    ],
    ['elsewhere', `<Location /other>\nRequire all denied\n</Location>\n${location(OLD)}`],
    [
      'tree dropped in between',
      `${directory('Require all denied')}<Directory /docs>\nAuthMerging Off\n</Directory>\n${location(OLD)}`,
    ],
  ]
  for (const [name, text] of rows) t.same(warnings(text), [], name)
  t.same(warnings(directory('Require all denied') + location(OLD), ['DUMP_MODULES']), [], 'a dump')
})
