import { configError, configErrorAt, moduleLog, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../src/index.ts'

async function configured(t: Test, lines: string, files: SiteOptions['files'] = {}): Promise<TestServer> {
  const server = await site({
    modules: [authzCore],
    config: `LogLevel authz_core:debug\n<Directory "@ROOT@/docs">\nAllowOverride All\n${lines}\n</Directory>`,
    files: { 'docs/f.txt': 'x', ...files },
  })
  t.teardown(() => server.close())
  return server
}

/** The decision trail of a GET without a user. */
async function trail(server: TestServer): Promise<string[]> {
  const known = moduleLog(server, 'authz_core').length
  await server.inject('/f.txt')
  return moduleLog(server, 'authz_core')
    .slice(known)
    .filter((line) => line.includes('AH0162'))
    .map((line) => line.replace(/.*authorization result of /, ''))
}

t.test('Require lines at the top of a section are alternatives, shown as RequireAny', async (t) => {
  const server = await configured(t, 'Require all   denied\nRequire all GRANTED')
  t.same(await trail(server), ['Require all denied: denied', 'Require all GRANTED: granted', '<RequireAny>: granted'])
})

t.test('the trail shows the arguments as written and the blank before missing ones', async (t) => {
  const server = await configured(t, 'Require method "GET"   POST')
  t.same(await trail(server), ['Require method "GET"   POST: granted', '<RequireAny>: granted'])
  t.same(await trail(await configured(t, 'Require env')), ['Require env : denied', '<RequireAny>: denied'])
})

t.test('a container of the same kind as its parent disappears, and its children join the parent', async (t) => {
  const server = await configured(
    t,
    `
    <RequireAny>
      <RequireAny>
        Require all denied
      </RequireAny>
    </RequireAny>
    <RequireAll>
      <RequireAll>
        Require all granted
      </RequireAll>
    </RequireAll>`,
  )
  t.same(await trail(server), [
    'Require all denied: denied',
    'Require all granted: granted',
    '<RequireAll>: granted',
    '<RequireAny>: granted',
  ])
})

const WITH_NONE = `
  <RequireAll>
    Require all granted
    <RequireNone>
      <RequireAny>
        Require env one
      </RequireAny>
      <RequireAll>
        Require env two
        Require not env three
      </RequireAll>
    </RequireNone>
  </RequireAll>`

t.test('in server files the negated children of a RequireNone in a RequireAll replace it', async (t) => {
  t.same(await trail(await configured(t, WITH_NONE)), [
    'Require all granted: granted',
    'Require not env one: neutral',
    'Require env two: denied',
    '<RequireNotAll>: neutral',
    '<RequireAll>: granted',
    '<RequireAny>: granted',
  ])
})

t.test('in .htaccess files a RequireNone stays', async (t) => {
  const server = await configured(t, '', { 'docs/.htaccess': WITH_NONE })
  t.same(await trail(server), [
    'Require all granted: granted',
    'Require env one: denied',
    'Require env two: denied',
    '<RequireAll>: denied',
    '<RequireNone>: neutral',
    '<RequireAll>: granted',
    '<RequireAny>: granted',
  ])
})

t.test('nodes limited to other methods are skipped', async (t) => {
  const server = await configured(
    t,
    `
    <RequireAll>
      Require all granted
      <Limit POST>
        Require all denied
      </Limit>
    </RequireAll>`,
  )
  t.same(await trail(server), [
    'Require all granted: granted',
    'Require all denied: granted (directive limited to other methods)',
    '<RequireAll>: granted',
    '<RequireAny>: granted',
  ])
  t.equal((await server.inject({ method: 'POST', target: '/f.txt' })).status, 403)
  const only = await configured(t, '<Limit POST>\nRequire all denied\n</Limit>')
  t.same(await trail(only), ['<RequireAny>: granted (directive limited to other methods)'])
})

t.test('mistakes are rejected with the line of the directive', async (t) => {
  const rows: [string, string][] = [
    ['Require', '2: Unknown Authz provider: '],
    ['Require not', '2: Unknown Authz provider: '],
    ['Require not not all granted', '2: Unknown Authz provider: not'],
    ['Require ALL granted', '2: Unknown Authz provider: ALL'],
    ['Require all', "2: Argument for 'Require all' must be 'granted' or 'denied'"],
    ['Require all granted denied', "2: Argument for 'Require all' must be 'granted' or 'denied'"],
    ['Require not all bad', "2: Argument for 'Require all' must be 'granted' or 'denied'"],
    ['Require method GET get', "2: Invalid Method 'get'"],
    ['Require expr', '2: Cannot parse expression in require line: syntax error, unexpected $end'],
    ['Require NOT all denied', '2: negative Require directive has no effect in <RequireAny> directive'],
    [
      '<RequireAny>\nRequire not all denied\n</RequireAny>',
      '3: negative Require directive has no effect in <RequireAny> directive',
    ],
    [
      '<RequireAll>\n<RequireNone>\nRequire not all denied\n</RequireNone>\n</RequireAll>',
      '4: negative Require directive has no effect in <RequireNone> directive',
    ],
    ['<RequireNone>\nRequire all denied\n</RequireNone>', '2: <RequireNone> directive has no effect in <RequireAny> directive'],
    [
      '<RequireNone>\n<RequireNone>\nRequire all denied\n</RequireNone>\n</RequireNone>',
      '3: <RequireNone> directive has no effect in <RequireNone> directive',
    ],
    ['<RequireAll>\n</RequireAll>', '2: <RequireAll> directive contains no authorization directives'],
    ['<RequireNone>\n</RequireNone>', '2: <RequireNone> directive contains no authorization directives'],
    ['<RequireAny foo>\nRequire all granted\n</RequireAny>', "2: <RequireAny> directive doesn't take additional arguments"],
    ['<RequireAny foo\nRequire all granted\n</RequireAny>', "2: <RequireAny> directive missing closing '>'"],
    ['<RequireAll>\nOptions Indexes\n</RequireAll>', '3: Options not allowed in <RequireAll> context'],
    ['AuthMerging Maybe', '2: AuthMerging must be one of: Off | And | Or'],
  ]
  for (const [lines, message] of rows) {
    t.equal(await configErrorAt({ modules: [authzCore], config: `<Directory /d>\n${lines}\n</Directory>` }), message, lines)
  }
})

t.test('an opening tag may lack its > when no other text follows', async (t) => {
  t.same(await trail(await configured(t, '<RequireAll\nRequire all granted\n</RequireAll>')), [
    'Require all granted: granted',
    '<RequireAll>: granted',
    '<RequireAny>: granted',
  ])
})

t.test('a container that can only veto stops the start, but not in .htaccess, where it never grants', async (t) => {
  const lines = '<RequireAll>\nRequire not env x\n<RequireNone>\nRequire env y\n</RequireNone>\n</RequireAll>'
  const error = await configError({ modules: [authzCore], config: `<Directory /d>\n${lines}\n</Directory>` })
  t.match(error, /^AH01624: <RequireAll> directive contains only negative authorization directives$/m)
  const server = await configured(t, '', { 'docs/.htaccess': lines })
  t.equal((await server.inject('/f.txt')).status, 403)
})

t.test('words of a container tree may be quoted', async (t) => {
  t.same(await trail(await configured(t, "Require 'all' granted")), ['Require all granted: granted', '<RequireAny>: granted'])
})
