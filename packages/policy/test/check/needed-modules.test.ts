import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyModule, isModule } from '@gatewright/api'
import { FileSource, TextSource } from '@gatewright/core'
import t from 'tap'
import { neededModules, PolicyServer } from '../../src/index.ts'

const FOLDER = join(import.meta.dirname, '../../../../modules')
const COMPILED_IN = ['mod_log_config', 'mod_logio', 'mod_unixd', 'mod_version', 'mod_watchdog']
const NAMES = readdirSync(FOLDER).filter((name) => !COMPILED_IN.includes(name))
const MODULES = await Promise.all(NAMES.map(load))
const FILES = NAMES.map((name) => `${name}.mjs`)

t.test('a directive leads to the module that has it', async (t) => {
  for (const [index, { source, directives }] of MODULES.entries()) {
    const file = FILES[index]
    const missed = Object.keys(directives ?? {}).filter((name) => {
      const text = name.startsWith('<') ? `${name} x>\n</${name.slice(1)}>\n` : `${name} x\n`
      return !neededModules([text], FILES).includes(file)
    })
    t.strictSame(missed, [], source)
  }
})

t.test('a provider leads to the module that has it', async (t) => {
  const all = await open(MODULES)
  const { authz, authn } = all.configuration.providers
  for (const name of authz.names()) {
    const server = await open(subset(`Require ${name} x\n`))
    t.ok(server.configuration.providers.authz.get(name), name)
    await server.close()
  }
  for (const name of authn.names()) {
    const server = await open(subset(`AuthType Basic\nAuthBasicProvider ${name}\n`))
    t.ok(server.configuration.providers.authn.get(name), name)
    await server.close()
  }
  await all.close()
})

t.test('a tree without a word about them does without most modules, and a guard is a word', async (t) => {
  t.strictSame(neededModules(['# Require user x\n'], FILES), [
    'mod_authz_core.mjs',
    'mod_autoindex.mjs',
    'mod_dir.mjs',
    'mod_mime.mjs',
  ])
  t.ok(neededModules(['<IfModule !mod_rewrite.c>\nOptions None\n</IfModule>\n'], FILES).includes('mod_rewrite.mjs'))
  t.ok(neededModules(['<IfModule env_module>\n</IfModule>\n'], FILES).includes('mod_env.mjs'))
  t.ok(neededModules(['Require expr "%{SSL_PROTOCOL} == \'TLSv1.3\'"\n'], FILES).includes('mod_ssl.mjs'))
  t.ok(neededModules(['<IfDirective Header>\n</IfDirective>\n'], FILES).includes('mod_headers.mjs'))
})

t.test('modules of others always count, and all do where words are put together as they are read', async (t) => {
  t.ok(neededModules([], [...FILES, '/m/mod_greeting.mjs']).includes('/m/mod_greeting.mjs'))
  t.strictSame(neededModules([`Require \${WHAT}\n`], FILES), FILES)
  t.strictSame(neededModules(['<Macro x $a>\n$aquire ip 10\n</Macro>\n'], FILES), FILES)
})

function subset(text: string): readonly AnyModule[] {
  const needed = new Set(neededModules([text], FILES))
  return MODULES.filter((_, index) => needed.has(FILES[index]))
}

function open(builtIn: readonly AnyModule[]): Promise<PolicyServer> {
  const configFile = '/none/httpd.conf'
  return PolicyServer.open({
    program: 'test',
    serverRoot: '/',
    configFile,
    defines: [],
    before: [],
    after: [],
    source: new TextSource(
      new Map([
        [
          configFile,
          'ServerName localhost\nDocumentRoot /\nErrorLog /dev/null\n<IfModule mod_mime.c>\nTypesConfig /dev/null\n</IfModule>\n',
        ],
      ]),
      new FileSource(),
    ),
    environment: {},
    report: () => undefined,
    builtIn,
    skipDocumentRootCheck: true,
  })
}

async function load(name: string): Promise<AnyModule> {
  const exported: unknown = await import(join(FOLDER, name, 'src/index.ts'))
  const module = typeof exported === 'object' && exported !== null && 'default' in exported ? exported.default : undefined
  if (!isModule(module)) throw new Error(`${name} is no module`)
  return module
}
