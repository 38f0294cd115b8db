import { type AnyModule, defineModule } from '@gatewright/api'
import { schemeOf } from '@gatewright/api/peers'
import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import dir from '../../../modules/mod_dir/src/index.ts'
import { partsOf } from '../src/host/loaded-parts.ts'

const names: AnyModule = defineModule({
  name: 'names_module',
  source: 'mod_names.c',
  register: ({ providers }) =>
    providers.expressionNames.add('mod_names', {
      variable: (name) => (name === 'HTTPS' || name === 'COLOUR' ? () => 'blue' : undefined),
      stringFunction: (name) => (name === 'twice' ? (_request, text) => text + text : undefined),
      listFunction: (name) => (name === 'letters' ? (_request, text) => [...text] : undefined),
    }),
})

async function serve(t: Test, modules: readonly AnyModule[], config: string): Promise<TestServer> {
  const server = await site({ modules: [authzCore, dir, ...modules], config, files: { 'docs/d/f.txt': 'x' } })
  t.teardown(() => server.close())
  return server
}

t.test('expressions know the variables, functions and lists of modules', async (t) => {
  const rows: readonly (readonly [string, number])[] = [
    ['%{COLOUR} == "blue"', 200],
    ['%{HTTPS} == "blue"', 200],
    ['twice("a") == "aa" && %{twice:b} == "bb"', 200],
    ['"b" in letters("abc")', 200],
    ['"d" in letters("abc")', 403],
  ]
  for (const [expression, status] of rows) {
    const server = await serve(t, [names], `<Location "/">\nRequire expr ${expression}\n</Location>`)
    t.match(await server.inject('/d/f.txt'), { status }, expression)
  }
  await t.rejects(serve(t, [], '<Location "/">\nRequire expr %{COLOUR} == "blue"\n</Location>'), {
    message: /Variable 'COLOUR' does not exist/,
  })
})

t.test('a module determines which servers have https, regardless of ServerName', async (t) => {
  const secured: AnyModule = defineModule({
    name: 'scheme_module',
    source: 'mod_scheme.c',
    register: ({ functions }) => functions.offer(schemeOf, ({ isVirtual }) => (isVirtual ? 'https' : null)),
  })
  const host = '<VirtualHost *:80>\nServerName http://host.test\n</VirtualHost>'
  const location = async (modules: readonly AnyModule[]): Promise<string | undefined> => {
    const server = await serve(t, modules, `<Location "/">\nRequire all granted\n</Location>\n${host}`)
    return (await server.inject({ target: '/d', headers: { Host: 'host.test' } })).header('Location')
  }
  t.equal(await location([]), 'http://host.test/d/')
  t.equal(await location([secured]), 'https://host.test/d/')
})

t.test('a virtual host has the protocol of the listener with exactly its address', async (t) => {
  const listen = 'Listen 127.0.0.1:8443 https\nListen 8444 https\nListen 127.0.0.1:443\n'
  const host = (address: string, name: string): string => `<VirtualHost ${address}>\n${name}\n</VirtualHost>\n`
  const config = [
    host('127.0.0.1:8443', 'ServerName a'),
    host('*:8443', 'ServerName b'),
    host('*:8444', 'ServerName c'),
    host('127.0.0.1:8444', 'ServerName d'),
    host('127.0.0.1:443', 'ServerName e'),
    host('127.0.0.1:8443', ''),
  ]
  const server = await serve(t, [], listen + config.join(''))
  const { servers } = partsOf(server.configuration).configuration
  t.strictSame(
    servers.map(({ protocol }) => protocol),
    ['http', 'https', 'http', 'https', 'http', 'https', 'http'],
  )
})
