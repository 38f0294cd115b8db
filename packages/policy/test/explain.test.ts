import type { AnyModule } from '@gatewright/api'
import allowmethods from 'mod_allowmethods'
import t from 'tap'
import { explanationText, NO_COLOURS } from '../src/index.ts'
import { AUTH, PolicySite } from './support/policy-site.ts'

const DOCS = '<Directory "@ROOT@/docs">'

t.test('a refusal names the sections, the rule, every verdict and the log line', async (t) => {
  const site = new PolicySite(t, { config: `${DOCS}\nRequire ip 10.0.0.0/8\nRequire host good.example\n</Directory>` })
  const told = await site.explain({ client: '127.0.0.5' })
  t.equal(told.status, 403)
  t.equal(told.access, 'refused')
  t.equal(told.rule.name, 'require denies')
  const [stage] = told.stages
  t.match(stage.sections.at(-1), { kind: 'Directory', place: { line: 3 }, require: { inForce: true }, hostRules: null })
  t.match(stage.answers, [
    {
      moment: 'before authentication',
      verdict: 'denied',
      tree: {
        title: '<RequireAny>',
        children: [
          { title: 'Require ip 10.0.0.0/8', verdict: 'denied', place: { line: 4 } },
          { title: 'Require host good.example', verdict: 'denied', place: { line: 5 } },
        ],
      },
    },
  ])
  t.match(told.log.at(-1), { module: 'authz_core', level: 'error', code: 'AH01630' })
  t.match(told.changes, [{ client: '10.0.0.1', access: 'granted', status: 200 }])
})

t.test('an expression that looks up another URL is evaluated, and does not hide earlier evaluations', async (t) => {
  const site = new PolicySite(t, {
    files: { 'docs/open/index.html': 'x', 'docs/shut/index.html': 'x' },
    config: `${DOCS}
Require all granted
</Directory>
<Location "/shut">
Order allow,deny
Deny from all
</Location>
<Location "/open">
<RequireAll>
Require method GET
Require expr -U '/index.html' && ! -U '/shut/index.html'
</RequireAll>
</Location>`,
  })
  const told = await site.explain({ target: '/open/index.html' })
  t.equal(told.status, 200)
  const stage = told.stages.find(({ uri }) => uri === '/open/index.html')
  t.strictSame(
    stage?.answers[0].tree?.children[0].children.map(({ verdict }) => verdict),
    ['granted', 'granted'],
  )
})

t.test('a nested tree shows what was not evaluated, before and after authentication', async (t) => {
  const site = new PolicySite(t, {
    config: `${DOCS}\n${AUTH}<RequireAll>\nRequire valid-user\n<RequireAny>\nRequire ip 10.0.0.0/8\nRequire user alice\n</RequireAny>\n<RequireNone>\nRequire ip 10.6.0.0/16\n</RequireNone>\n</RequireAll>\n</Directory>`,
  })
  const told = await site.explain({ credentials: { user: 'bob', password: 'bobpw' } })
  t.equal(told.status, 401)
  t.equal(told.access, 'challenged')
  t.strictSame(
    told.stages[0].answers.map(({ moment, verdict }) => [moment, verdict]),
    [
      ['before authentication', 'needs a user'],
      ['after authentication', 'denied'],
    ],
  )
  const all = told.stages[0].answers[1].tree?.children[0]
  t.strictSame(
    all?.children.map(({ title, verdict }) => [title, verdict]),
    [
      ['Require valid-user', 'granted'],
      ['<RequireAny>', 'denied'],
      ['Require not ip 10.6.0.0/16', 'not asked'],
    ],
    'at the server level a RequireNone gives way to its negated lines',
  )
  t.same(told.headers, [['WWW-Authenticate', 'Basic realm="Realm"']])
  t.strictSame(
    told.changes.map(({ client, user }) => client ?? user),
    ['10.0.0.1', 'alice'],
  )
})

t.test('a user without password counts as one who knows it, and only if the server knows the user', async (t) => {
  const site = new PolicySite(t, { config: `${DOCS}\n${AUTH}Require valid-user\n</Directory>` })
  t.equal((await site.explain({ credentials: { user: 'bob', password: null } })).status, 200)
  const stranger = await site.explain({ credentials: { user: 'eve', password: null } })
  t.equal(stranger.status, 401)
  t.equal(stranger.rule.name, 'authentication')
  t.match(stranger.log.at(-1), { code: 'AH01618' })
  t.equal((await site.explain({ credentials: { user: 'bob', password: 'wrong' } })).status, 401)
})

t.test('an explanation never contains a password', async (t) => {
  const site = new PolicySite(t, { config: `${DOCS}\n${AUTH}Require valid-user\n</Directory>` })
  const told = await site.explain({ credentials: { user: 'bob', password: 'bobpw' } })
  t.notMatch(JSON.stringify(told), /bobpw/)
})

t.test('an explanation of .htaccess files contains their lines, and the branch that was not read', async (t) => {
  const site = new PolicySite(t, {
    config: `${DOCS}\nAllowOverride All\n</Directory>`,
    files: {
      'docs/sub/.htaccess':
        '<IfModule mod_authz_core.c>\nRequire ip 10.1\n</IfModule>\n<IfModule !mod_authz_core.c>\nOrder deny,allow\nDeny from all\n</IfModule>\n',
      'docs/sub/f.txt': 'x',
    },
  })
  const told = await site.explain({ target: '/sub/f.txt' })
  t.equal(told.access, 'refused')
  t.match(told.stages[0].answers[0].tree?.children[0], { title: 'Require ip 10.1', place: { file: /sub\/\.htaccess$/, line: 2 } })
  t.match(told.surprises, [
    { name: 'branch not read', text: /<IfModule !mod_authz_core\.c>.*Order, Deny/, places: [{ line: 4 }] },
  ])
  t.match(told.changes, [{ client: '10.1.0.1', status: 200 }])
})

t.test('a .htaccess file of nothing but a branch that is not read is seen', async (t) => {
  const site = new PolicySite(t, {
    config: `${DOCS}\nAllowOverride All\n</Directory>`,
    files: { 'docs/.htaccess': '<IfDefine CLOSED>\nRequire all denied\n</IfDefine>\n' },
  })
  const told = await site.explain()
  t.equal(told.access, 'granted')
  t.match(told.surprises, [{ name: 'branch not read', text: /<IfDefine CLOSED>.*Require/, places: [{ line: 1 }] }])
})

t.test('mixed dialects: the word of each module, and which of them decided', async (t) => {
  const config = `${DOCS}\n${AUTH}Order deny,allow\nDeny from all\nAllow from 10\nRequire valid-user\n%\n</Directory>`
  const satisfied = (how: string): PolicySite => new PolicySite(t, { config: config.replace('%', how) })

  const all = await satisfied('Satisfy All').explain()
  t.equal(all.rule.name, 'host rules refuse')
  t.match(all.stages[0].sections.at(-1)?.hostRules, {
    inForce: true,
    allowed: false,
    order: 'deny,allow',
    words: [
      { list: 'Allow', word: '10', matches: false },
      { list: 'Deny', word: 'all', matches: true },
    ],
  })
  t.match(all.changes, [{ client: '10.0.0.1', user: 'bob' }], 'no single change opens it')

  const any = await satisfied('Satisfy Any').explain({ client: '10.2.3.4' })
  t.equal(any.status, 200)
  t.equal(any.rule.name, 'satisfy any: host rules admit')
  t.match(any.surprises, [{ name: 'Satisfy Any', text: /overrides Require/ }])

  const refused = await satisfied('Satisfy Any').explain({ credentials: { user: 'bob', password: null } })
  t.equal(refused.status, 200)
  t.match(refused.surprises, [{ name: 'Satisfy Any', text: /overrides the host rules/ }])
  t.match(refused.log[0], { module: 'access_compat', code: 'AH01797' })
})

t.test('host rules that set an inherited Require aside are named, with what httpd would answer', async (t) => {
  const site = new PolicySite(t, {
    config:
      '<Directory "/">\nRequire all denied\n</Directory>\n<Location "/status">\nOrder deny,allow\nDeny from all\nAllow from 127.0.0.1\n</Location>',
  })
  const told = await site.explain({ target: '/status' })
  t.equal(told.access, 'granted')
  t.equal(told.rule.name, 'host rules stand alone')
  t.match(told.surprises[0], { name: 'differs from httpd', text: /answers 403 here/, places: [{ line: 6 }, { line: 4 }] })
})

t.test('a Location that opens what a Directory closes is pointed out, a closed root folder is not', async (t) => {
  const site = new PolicySite(t, {
    config: `<Directory "/">\nRequire all denied\n</Directory>\n${DOCS}\nRequire ip 10\n</Directory>\n<Location "/index.html">\nRequire all granted\n</Location>`,
  })
  const told = await site.explain()
  t.equal(told.access, 'granted')
  t.match(told.surprises, [{ name: 'section overridden', text: /docs"> alone refuses.*<Location "\/index\.html">/ }])
  const open = new PolicySite(t, {
    config: `<Directory "/">\nRequire all denied\n</Directory>\n${DOCS}\nRequire all granted\n</Directory>`,
  })
  t.strictSame((await open.explain()).surprises, [])
})

t.test(
  'surprises of lists: ::1 left out, Deny that beats Allow, all granted beside others, a negation that asks nobody',
  async (t) => {
    const surprise = async (lines: string, client = '127.0.0.1'): Promise<string[]> => {
      const told = await new PolicySite(t, { config: `${DOCS}\n${lines}\n</Directory>` }).explain({ client })
      return told.surprises.map(({ name }) => name)
    }
    t.strictSame(await surprise('Require ip 127.0.0.1'), ['::1 missing'])
    t.strictSame(await surprise('Require ip 127.0.0.1 ::1'), [])
    t.strictSame(await surprise('Require ip 127.0.0.1\nRequire local'), [])
    t.strictSame(await surprise('Order allow,deny\nAllow from 10\nDeny from 10.1', '10.1.1.1'), ['Deny beats Allow'])
    t.strictSame(await surprise('Require ip 10\nRequire all granted'), ['all granted beside others'])
    t.strictSame(await surprise('<RequireAll>\nRequire all granted\nRequire not user bob\n</RequireAll>'), [
      'negation without user',
    ])
  },
)

t.test('a child with any of the old directives discards the denial of its parent', async (t) => {
  const site = new PolicySite(t, {
    config: `${DOCS}\nOrder deny,allow\nDeny from all\nAllowOverride All\n</Directory>`,
    files: { 'docs/open/.htaccess': 'Allow from 10\n', 'docs/open/f': 'x' },
  })
  const told = await site.explain({ target: '/open/f' })
  t.equal(told.access, 'granted')
  t.match(told.surprises, [{ name: 'host rules replaced' }])
})

t.test('unused credentials are reported', async (t) => {
  const site = new PolicySite(t, { config: `${DOCS}\n${AUTH}Require ip 127\nRequire valid-user\n</Directory>` })
  const told = await site.explain({ credentials: { user: 'bob', password: 'wrong' } })
  t.equal(told.status, 200)
  t.ok(told.surprises.some(({ name }) => name === 'credentials not looked at'))
})

t.test('an AuthType without any Require, and an If that does not hold, are named', async (t) => {
  const site = new PolicySite(t, {
    config: `${DOCS}\n${AUTH}</Directory>\n<If "%{REMOTE_ADDR} == '10.0.0.9'">\nRequire all granted\n</If>`,
  })
  const told = await site.explain()
  t.equal(told.status, 500)
  t.equal(told.access, 'failed')
  t.equal(told.rule.name, 'AuthType without Require')
  t.match(told.stages[0].conditions.at(-1), { holds: false, place: { line: 8 } })
})

t.test('a file that is not there is granted all the same: that is not about access', async (t) => {
  const told = await new PolicySite(t, { config: `${DOCS}\nRequire all granted\n</Directory>` }).explain({ target: '/none' })
  t.equal(told.status, 404)
  t.equal(told.access, 'granted')
})

t.test('a request that is malformed is answered before access control', async (t) => {
  const told = await new PolicySite(t, { config: '' }).explain({ target: '/%zz' })
  t.equal(told.status, 400)
  t.equal(told.access, 'not reached')
})

t.test('the candidate of a DirectoryIndex and a local error document are stages of their own', async (t) => {
  const site = new PolicySite(t, {
    config: `${DOCS}\nRequire all granted\n</Directory>\n<Files "index.html">\nRequire all denied\n</Files>\nErrorDocument 403 /why.txt`,
    files: { 'docs/why.txt': 'because' },
  })
  const told = await site.explain({ target: '/' })
  t.strictSame(
    told.stages.map(({ kind, uri, access }) => [kind, uri, access]),
    [
      ['request', '/', 'granted'],
      ['sub-request', '/index.html', 'refused'],
      ['redirect', '/why.txt', 'granted'],
    ],
  )
  t.equal(told.status, 403)
})

t.test(
  'a request that shares the decision of the one before it says so, and one that does not names the modules that prevent it',
  async (t) => {
    const config = `DirectoryIndex /sub/page.html
${DOCS}
Require expr "%{REQUEST_URI} !~ m#^/sub#"
</Directory>`
    const files = { 'docs/sub/page.html': 'x' }
    const explained = async (modules: readonly AnyModule[]) => {
      const told = await new PolicySite(t, { config, files, modules }).explain({ target: '/' })
      const stage = told.stages.find(({ kind }) => kind === 'sub-request')
      return { told, stage, text: explanationText(told, { palette: NO_COLOURS, folder: '/' }) }
    }
    const shared = await explained([])
    t.equal(shared.told.status, 200)
    t.match(shared.stage, { access: 'granted', rule: { name: 'decided before' }, againBecauseOf: [] })
    t.match(shared.text, /Not authorized again: it has the configuration of the request that led to it/)
    const asked = await explained([allowmethods])
    t.equal(asked.told.status, 403)
    t.match(asked.stage, { access: 'refused', rule: { name: 'require denies' }, againBecauseOf: ['mod_allowmethods'] })
    t.match(asked.text, /it was authorized again because mod_allowmethods decides by request\./)
  },
)

t.test('the virtual host that answers is named, with its line and port', async (t) => {
  const site = new PolicySite(t, {
    config:
      'Listen 8430\n<VirtualHost *:8430>\nServerName www.example.org\n</VirtualHost>\n<Location />\nRequire all granted\n</Location>',
  })
  const explanation = await site.explain({ host: 'www.example.org', localPort: 8430 })
  t.match(explanation.answeredBy, { isVirtual: true, name: 'www.example.org', place: { line: 4 }, localPort: 8430 })
  t.match(
    explanationText(explanation, { palette: NO_COLOURS, folder: site.root }),
    /\nAnswered by virtual host www\.example\.org \(conf\/httpd\.conf:4\), port 8430: its ServerName is www\.example\.org\.\n/,
  )
  t.match(await site.explain({ localPort: 80 }), { answeredBy: { isVirtual: false, name: 'localhost', place: null } })
})

t.test('folders of error logs may be missing: nothing is logged', async (t) => {
  const config = 'ErrorLog none/error_log\n<VirtualHost *:80>\nErrorLog none/host_log\n</VirtualHost>'
  const site = new PolicySite(t, { config })
  const server = await site.open()
  await server.close()
})
