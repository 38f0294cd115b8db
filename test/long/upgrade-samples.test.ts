import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { checkSources, upgradeSources } from '@gatewright/module-kit'
import t, { type Test } from 'tap'
import { buildSample, checkAgainst, placeSample, SAMPLES } from '../fixtures/build-sample.ts'
import { runTool } from '../fixtures/gatewright.ts'
import { MODULES, StagedServer } from '../fixtures/staged-server.ts'

const textOf = (source: string): string => readFileSync(join(SAMPLES, source), 'utf8')
const moduleLine = (name: string): string => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`

/** A server with an additional module file. */
async function serverWith(t: Test, file: string, ...lines: readonly string[]): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.file(`modules/${basename(file)}`, readFileSync(file))
  server.file('htdocs/page.txt', 'a page\n')
  const name = basename(file, '.mjs').replace('mod_', '')
  server.configure(moduleLine('authz_core'), `LoadModule ${name}_module modules/mod_${name}.so`, ...lines)
  return server
}

/** Builds a source of the 2.2 line against it, and has a server refuse the file. */
async function isRefusedAsBuiltBefore(t: Test, source: string): Promise<void> {
  const server = await serverWith(t, await buildSample(placeSample(source, t.testdir(), 'api-2.2')))
  const { status, stderr } = await server.run('-t')
  t.equal(status, 1)
  t.match(stderr, [
    / is garbled - expected signature 41503234 but saw 41503232 - /,
    /^hint: mod_\w+ was built for the 2\.2 module API, .*UPGRADING\.md/,
  ])
}

t.test('all of them were right in their time', async (t) => {
  const sources = ['mod_hello/mod_hello.ts', 'mod_visitor/2.2/mod_visitor.ts', 'mod_badge/2.2/mod_badge.ts']
  t.strictSame(checkSources(checkAgainst('api-2.2', ...sources.map((source) => join(SAMPLES, source)))), [])
})

t.test('mod_hello, which uses nothing that changed', async (t) => {
  const source = 'mod_hello/mod_hello.ts'
  await t.test('is refused as it was built against 2.2', (t) => isRefusedAsBuiltBefore(t, source))
  await t.test('builds again unchanged, and answers', async (t) => {
    const copy = placeSample(source, t.testdir(), 'api')
    t.strictSame(checkSources(checkAgainst('api', copy)), [])
    const server = await serverWith(
      t,
      await buildSample(copy),
      '<Location /hello>',
      'SetHandler hello',
      'HelloText "good day"',
      'Require all granted',
      '</Location>',
    )
    await server.start()
    t.match(await server.get('/hello'), { status: 200, body: 'good day\n' })
    t.match(await server.stop(), { status: 0, stderr: [] })
  })
})

t.test('mod_visitor, whose source has to change', async (t) => {
  const source = 'mod_visitor/2.2/mod_visitor.ts'
  await t.test('is refused as it was built against 2.2', (t) => isRefusedAsBuiltBefore(t, source))
  await t.test('stops apxs -c, which points at a section of UPGRADING.md below every problem', async (t) => {
    const folder = t.testdir({ 'mod_visitor.ts': textOf(source) })
    const { status, stderr } = await runTool('apxs', ['-c', 'mod_visitor.ts'], folder)
    t.equal(status, 1)
    const told = [...stderr.matchAll(/^mod_visitor\.ts:(\d+):.* error TS.*\n.*\n.*\nhint: this changed .* see (\S+)$/gm)]
    t.strictSame(
      told.map(([, line, pointer]) => `${line} ${pointer}`),
      [
        '9 UPGRADING.md#api-client-port',
        '11 UPGRADING.md#api-hook-order',
        '16 UPGRADING.md#api-loglevel',
        '17 UPGRADING.md#api-client-address',
        '18 UPGRADING.md#api-some-auth-required',
        '19 UPGRADING.md#api-server-version',
        '20 UPGRADING.md#api-default-type',
      ],
    )
    t.equal(stderr.match(/ error TS/g)?.length, told.length, 'there are no problems without')
    const guide = /^hint: apxs -c --upgrade .*; UPGRADING\.md is (\S+)$/m.exec(stderr)?.[1] ?? ''
    for (const [, , pointer] of told) t.match(readFileSync(guide, 'utf8'), `<a id="${pointer.split('#')[1]}"></a>`)
    t.strictSame(readdirSync(folder), ['mod_visitor.ts'], 'nothing was made')
  })
  await t.test('is rewritten by apxs -c --upgrade where that is mechanical, and keeps its form and comments', async (t) => {
    const before = textOf(source)
    const folder = t.testdir({ 'mod_visitor.ts': before })
    const { status, stderr } = await runTool('apxs', ['-c', '--upgrade', 'mod_visitor.ts'], folder)
    t.equal(status, 1, 'something is left')
    t.equal(
      readFileSync(join(folder, 'mod_visitor.ts'), 'utf8'),
      before
        .replace('request.connection.remoteAddr.port', 'request.useragentPort')
        .replace("null,\n      ['mod_authz_host.c'],\n      'first'", "{ before: ['mod_authz_host.c'], rank: 'first' }")
        .replace('request.connection.remoteIp', 'request.useragentAddress')
        .replace('serverVersion', 'serverBanner'),
    )
    t.equal(readFileSync(join(folder, 'mod_visitor.ts.orig'), 'utf8'), before)
    t.match(
      stderr,
      /^--- mod_visitor\.ts\.orig\n\+\+\+ mod_visitor\.ts\n@@ -9,4 \+9,2 @@\n-.*remoteAddr\.port < 1024.*\n(-.*\n){3}\+.*useragentPort < 1024/m,
    )
    const left = stderr.slice(stderr.indexOf('left to do by hand:'))
    t.strictSame(left.match(/#api-[\w-]+/g), ['#api-loglevel', '#api-some-auth-required', '#api-default-type'])
  })
  await t.test('answers once its author has done the rest', async (t) => {
    const copy = placeSample('mod_visitor/2.4/mod_visitor.ts', t.testdir(), 'api')
    const server = await serverWith(
      t,
      await buildSample(copy),
      '<Location /visitor>',
      'SetHandler visitor',
      'Require all granted',
      '</Location>',
    )
    await server.start()
    t.match(await server.get('/visitor', { from: '127.0.0.7' }), { status: 200, body: 'you are 127.0.0.7, members only: no\n' })
    t.match(await server.stop(), { status: 0, stderr: [] })
  })
})

t.test('a module without types, whose access rule reads the address as in 2.2', async (t) => {
  const moduleWith = (rule: string): string => `import { DECLINED, defineModule, HTTP_FORBIDDEN } from '@gatewright/api'

export default defineModule({
  name: 'x_module',
  source: 'mod_x.c',
  register({ hooks }) {
    hooks.accessChecker.add(${rule})
  },
})
`
  const former = "(request.connection.remoteIp === '127.0.0.1' ? HTTP_FORBIDDEN : DECLINED)"
  await t.test('is refused by apxs -c in JavaScript, and rewritten as far as its types are known', async (t) => {
    const folder = t.testdir({ 'mod_x.js': moduleWith(`(request) => ${former}, null, null, 'first'`) })
    const refused = await runTool('apxs', ['-c', 'mod_x.js'], folder)
    t.equal(refused.status, 1)
    t.strictSame(refused.stderr.match(/#api-[\w-]+/g), ['#api-client-address', '#api-hook-order'])
    t.strictSame(readdirSync(folder), ['mod_x.js'])
    const upgraded = await runTool('apxs', ['-c', '--upgrade', 'mod_x.js'], folder)
    t.equal(upgraded.status, 0, upgraded.stderr)
    t.equal(
      readFileSync(join(folder, 'mod_x.js'), 'utf8'),
      moduleWith("(request) => (request.useragentAddress === '127.0.0.1' ? HTTP_FORBIDDEN : DECLINED), { rank: 'first' }"),
    )
  })
  await t.test('is refused where the request has the type any, and left to its author', async (t) => {
    const folder = t.testdir({ 'mod_x.ts': moduleWith(`(request: any) => ${former}`) })
    for (const args of [['-c'], ['-c', '--upgrade']]) {
      const { status, stderr } = await runTool('apxs', [...args, 'mod_x.ts'], folder)
      t.equal(status, 1)
      t.match(stderr, /^mod_x\.ts:7:\d+: error TS2339: 'remoteIp' .*\n.*\n.*\nhint: .* see UPGRADING\.md#api-client-address$/m)
      t.notMatch(stderr, 'nothing is left to do manually')
    }
    t.strictSame(readdirSync(folder), ['mod_x.ts'])
  })
  await t.test('builds without a message in JavaScript with the names of 2.4', async (t) => {
    const rule = "(request) => (request.useragentAddress === '127.0.0.1' ? HTTP_FORBIDDEN : DECLINED)"
    const folder = t.testdir({ 'mod_x.js': moduleWith(rule) })
    const { status, stderr } = await runTool('apxs', ['-c', 'mod_x.js'], folder)
    t.equal(status, 0)
    t.notMatch(stderr, /error|hint/)
    t.strictSame(readdirSync(folder).sort(), ['mod_x.js', 'mod_x.mjs'])
  })
})

t.test('mod_badge, which read Require lines itself', async (t) => {
  const source = 'mod_badge/2.2/mod_badge.ts'
  await t.test('is refused as it was built against 2.2', (t) => isRefusedAsBuiltBefore(t, source))
  await t.test('does not build and lie: it is pointed at providers, and nothing of it is rewritten', async (t) => {
    const copy = placeSample(source, t.testdir(), 'api')
    const before = readFileSync(copy, 'latin1')
    const { files, remaining } = upgradeSources(checkAgainst('api', copy))
    t.strictSame(files, [])
    t.ok(remaining.length > 0)
    for (const { pointer } of remaining) t.equal(pointer, 'UPGRADING.md#api-require-lines')
    t.equal(readFileSync(copy, 'latin1'), before)
    t.throws(() => readFileSync(`${copy}.orig`), { code: 'ENOENT' }, 'a file that stays has no other')
  })
  await t.test('grants and denies as a provider, alone, in containers and after not', async (t) => {
    const copy = placeSample('mod_badge/2.4/mod_badge.ts', t.testdir(), 'api')
    const file = await buildSample(copy)
    const server = await serverWith(
      t,
      file,
      ...['<Location />', 'Require badge blue "dark green"', '</Location>'],
      ...['<Location /both>', '<RequireAll>', 'Require badge red', 'Require method GET', '</RequireAll>', '</Location>'],
      ...['<Location /not>', '<RequireAll>', 'Require all granted', 'Require not badge red', '</RequireAll>', '</Location>'],
      ...['<Location /other>', 'BadgeHeader X-Pass', 'Require badge red', '</Location>'],
    )
    for (const path of ['both', 'not', 'other']) copyFileSync(server.path('htdocs/page.txt'), server.path(`htdocs/${path}`))
    await server.start()
    const status = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
      (await server.get(path, { headers })).status
    t.equal(await status('/page.txt'), 403)
    t.equal(await status('/page.txt', { 'X-Badge': 'blue' }), 200)
    t.equal(await status('/page.txt', { 'X-Badge': 'dark green' }), 200)
    t.equal(await status('/page.txt', { 'X-Badge': 'red' }), 403)
    t.equal(await status('/both', { 'X-Badge': 'red' }), 200)
    t.equal(await status('/both', { 'X-Badge': 'blue' }), 403)
    t.equal(await status('/not', { 'X-Badge': 'red' }), 403)
    t.equal(await status('/not', { 'X-Badge': 'blue' }), 200)
    t.equal(await status('/other', { 'X-Badge': 'red' }), 403)
    t.equal(await status('/other', { 'X-Pass': 'red' }), 200)
    t.match(await server.stop(), { status: 0, stderr: [] })
    server.configure(
      moduleLine('authz_core'),
      'LoadModule badge_module modules/mod_badge.so',
      '<Location />',
      'Require badge',
      '</Location>',
    )
    t.match((await server.run('-t')).stderr[1], "'Require badge' needs the name of a badge")
  })
})
