import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AnyModule, isModule } from '@gatewright/api'
import { buildModule } from '@gatewright/module-kit'
import { basicAuth, site } from '@gatewright/testing'
import authBasic from 'mod_auth_basic'
import authnCore from 'mod_authn_core'
import authzCore from 'mod_authz_core'
import authzUser from 'mod_authz_user'
import t, { type Test } from 'tap'
import { refusal } from './support/refusal.ts'

// The runner has Node translate all positions itself, which a server does not.
process.setSourceMapsEnabled(false)

/** A module that throws wherever its words demand it. */
const SOURCE = `import { DECLINED, defineModule, directive } from '@gatewright/api'

function fail(where: string): never {
  throw new Error('no luck in ' + where)
}

async function* broken(): AsyncGenerator<string> {
  yield 'x'
  fail('stream')
}

async function* silent(): AsyncGenerator<string> {
  yield 'x'
  await new Promise(() => {})
}

async function* patient(): AsyncGenerator<string> {
  yield 'x'
  await new Promise((resolve) => setTimeout(resolve, 1500))
  yield 'y'
}

export default defineModule<{ text?: string }, undefined>({
  name: 'unlucky_module',
  source: 'mod_unlucky.c',
  perDirectory: { create: () => ({}), merge: (_, over) => over },
  directives: {
    Unlucky: directive.take1({ scope: 'directory', context: ['server', 'directory'], set: () => fail('set') }),
    '<IfUnlucky': directive.condition({ scope: 'server', context: ['server'], set: () => fail('condition') }),
  },
  register({ hooks, providers }) {
    providers.authz.add('luck', {
      parse: (argument) => {
        if (argument === 'none') fail('parse')
        if (argument === 'slow') return () => new Promise(() => {})
        return () => (argument === 'odd' ? (undefined as never) : fail('check'))
      },
    })
    providers.authn.add('luck', { checkPassword: () => new Promise(() => {}) })
    hooks.handler.add((request) => (request.uri === '/unlucky' ? fail('handler') : DECLINED))
    hooks.handler.add((request) => (request.uri === '/silent' ? request.send('text/plain', silent()) : DECLINED))
    hooks.handler.add((request) => {
      if (request.uri !== '/patient') return DECLINED
      request.limitsItsTime = true
      return request.send('text/plain', patient())
    })
    hooks.handler.add((request) => (request.uri === '/stream' ? request.send('text/plain', broken()) : DECLINED))
  },
})
`

async function unlucky(t: Test): Promise<readonly AnyModule[]> {
  const folder = t.testdir({ 'package.json': '{ "type": "module" }', src: { 'index.ts': SOURCE } })
  const outFile = join(folder, 'mod_unlucky.mjs')
  await buildModule({ entry: join(folder, 'src/index.ts'), outFile, sourceMap: true })
  const { default: module }: { default: unknown } = await import(pathToFileURL(outFile).href)
  if (!isModule(module)) throw new Error(`${outFile} exports no module`)
  return [authzCore, module]
}

const AT = 'src/index.ts:4:9 of mod_unlucky.mjs'
const HINT = `the module is at fault, at ${AT}: contact its author`

t.test(
  'a directive whose setter throws is an error of its line that names the module and the position in its source',
  async (t) => {
    const modules = await unlucky(t)
    t.match(await refusal('ServerName x\nUnlucky y', { modules }), {
      line: 2,
      message: 'Unlucky of mod_unlucky.c failed: no luck in set',
      hint: HINT,
    })
    t.match(await refusal('<IfUnlucky y>\n</IfUnlucky>', { modules }), {
      line: 1,
      message: '<IfUnlucky of mod_unlucky.c failed: no luck in condition',
      hint: HINT,
    })
  },
)

t.test('a provider that throws while a Require line is read is blamed, and not the module of the directive', async (t) => {
  t.match(await refusal('<Location />\nRequire luck none\n</Location>', { modules: await unlucky(t) }), {
    line: 2,
    message: 'Require of mod_authz_core.c failed in mod_unlucky: no luck in parse',
    hint: HINT,
  })
})

t.test('a provider or a hook that throws in a request is blamed with the position in its source', async (t) => {
  const config = `
    <Location /checked>
      Require luck some
    </Location>
    <Location /unlucky>
      Require all granted
    </Location>`
  const server = await site({ modules: await unlucky(t), config })
  t.teardown(() => server.close())
  t.equal((await server.inject('/checked')).status, 500)
  t.match(
    server.errors().at(-1),
    /hook accessCheckerEx of mod_authz_core\.c failed in mod_unlucky at 'Require luck some' \(.*httpd\.conf:\d+\), a provider of mod_unlucky\.c: Error: no luck in check\\n {4}at fail \(src\/index\.ts:4:9 of mod_unlucky\.mjs\)/,
  )
  t.equal((await server.inject('/unlucky')).status, 500)
  t.match(server.errors().at(-1), `hook handler of mod_unlucky.c failed: Error: no luck in handler\\n    at fail (${AT})`)
})

t.test('a provider that never settles is named with its line and its module, and not only the hook that waited', async (t) => {
  const config = `Timeout 1
    <Location /slow>
      <RequireAll>
        Require all granted
        Require luck slow
      </RequireAll>
    </Location>
    <Location /login>
      AuthType Basic
      AuthName x
      AuthBasicProvider luck
      Require valid-user
    </Location>`
  const server = await site({ modules: [...(await unlucky(t)), authnCore, authBasic, authzUser], config })
  t.teardown(() => server.close())
  t.equal((await server.inject('/slow')).status, 500)
  t.match(
    server.errors().at(-1),
    /hook accessCheckerEx of mod_authz_core\.c failed at 'Require luck slow' \(.*httpd\.conf:\d+\), a provider of mod_unlucky\.c: Error: it did not settle within 1 s/,
  )
  t.equal((await server.inject({ target: '/login', headers: basicAuth('ann', 'x') })).status, 500)
  t.match(
    server.errors().at(-1),
    /hook checkUserId of mod_auth_basic\.c failed at 'AuthBasicProvider luck' \(.*httpd\.conf:\d+\), a provider of mod_unlucky\.c: Error: it did not settle within 1 s/,
  )
})

t.test('a check that returns something else than a status is a 500 whose log line names the Require line', async (t) => {
  const server = await site({ modules: await unlucky(t), config: '<Location />\nRequire luck odd\n</Location>' })
  t.teardown(() => server.close())
  t.equal((await server.inject('/')).status, 500)
  t.match(
    server.errors().at(-1),
    /the check of 'Require luck odd' \(.*httpd\.conf:\d+\), a provider of mod_unlucky\.c returned undefined, which is not an authorization status/,
  )
})

t.test('a stream of a module that fails while it is sent is logged with the module and the position', async (t) => {
  const server = await site({ modules: await unlucky(t), config: '<Location />\nRequire all granted\n</Location>' })
  t.teardown(() => server.close())
  const port = await server.listen()
  await t.rejects(fetch(`http://127.0.0.1:${port}/stream`).then((answer) => answer.text()))
  t.match(server.errors().join('\n'), `a response could not be completed: no luck in stream at ${AT}`)
})

t.test(
  'a stream of a module that sends nothing for Timeout ends with its connection, unless it limits its own time',
  async (t) => {
    const server = await site({ modules: await unlucky(t), config: 'Timeout 1\n<Location />\nRequire all granted\n</Location>' })
    t.teardown(() => server.close())
    const port = await server.listen()
    const textOf = (path: string): Promise<string> => fetch(`http://127.0.0.1:${port}${path}`).then((answer) => answer.text())
    await t.rejects(textOf('/silent'))
    t.match(server.errors().join('\n'), 'the stream of mod_unlucky.c has sent nothing for 1 s (Timeout)')
    t.equal(await textOf('/patient'), 'xy')
  },
)
