import { env as environment } from 'node:process'
import { moduleLog, observedModule, requestRecorder, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import setenvif from '../../mod_setenvif/src/index.ts'
import env from '../src/index.ts'

interface EnvSite {
  readonly server: TestServer
  /** The variables at the end of a request. */
  variables(target?: string): Promise<Record<string, string>>
}

async function envSite(t: Test, config: string, modules: SiteOptions['modules'] = [env]): Promise<EnvSite> {
  const recorder = requestRecorder()
  const files = { 'docs/f': '', 'docs/in/f': '', 'docs/in/deep/f': '' }
  const server = await site({ modules: [authzCore, ...modules, recorder.module], config, files })
  t.teardown(() => server.close())
  return {
    server,
    variables: async (target = '/f') => {
      await server.inject(target)
      return Object.fromEntries(recorder.last.env)
    },
  }
}

t.test('the directive table has the contexts of each directive', async (t) => {
  t.same(Object.keys(env.directives ?? {}), ['SetEnv', 'UnsetEnv', 'PassEnv'])
  for (const spec of Object.values(env.directives ?? {})) {
    t.equal(spec.scope, 'directory')
    t.same(spec.context, ['server', 'virtualhost', 'directory', 'htaccess'])
    t.equal(spec.override, 'FileInfo')
  }
  t.equal(env.directives?.SetEnv.kind, 'take12')
  t.equal(env.directives?.UnsetEnv.kind, 'iterate')
  t.equal(env.directives?.PassEnv.kind, 'iterate')
})

t.test('SetEnv sets variables literally, and to empty without a value', async (t) => {
  const { variables } = await envSite(t, 'SetEnv A 1\nSetEnv B\nSetEnv C "c $1"')
  t.same(await variables(), { A: '1', B: '', C: 'c $1' })
})

t.test('within one scope the last line about a variable counts', async (t) => {
  const { variables } = await envSite(t, 'SetEnv D 1\nUnsetEnv D\nUnsetEnv E\nSetEnv E 1')
  t.same(await variables(), { E: '1' })
})

t.test('an inner scope overrides and removes variables of outer ones', async (t) => {
  const config = [
    'SetEnv A main\nSetEnv B main\nSetEnv C main',
    '<Directory "@ROOT@/docs">\nUnsetEnv a C\nSetEnv B outer\n</Directory>',
    '<Directory "@ROOT@/docs/in">\nSetEnv A again\n</Directory>',
  ]
  const { variables } = await envSite(t, config.join('\n'))
  t.same(await variables('/f'), { B: 'outer' })
  t.same(await variables('/in/f'), { B: 'outer', A: 'again' })
})

t.test('merging is associative, so the order in which sections are merged does not matter', async (t) => {
  const observed = observedModule(env)
  const config = [
    '<Directory "@ROOT@/docs">\nSetEnv A 1\nSetEnv B 1\nSetEnv C 1\n</Directory>',
    '<Directory "@ROOT@/docs/in">\nUnsetEnv A\nSetEnv B 2\n</Directory>',
    '<Directory "@ROOT@/docs/in/deep">\nUnsetEnv B\nSetEnv D 3\n</Directory>',
  ]
  const { variables } = await envSite(t, config.join('\n'), [observed.module])
  const left = await variables('/in/deep/f')
  const placed = observed.host.placedConfigs().filter(({ section }) => section.kind === 'Directory')
  const [base, middle, top] = placed.map(({ config: placedConfig }) => placedConfig)
  const merge = env.perDirectory?.merge
  if (merge === undefined || base === undefined || middle === undefined || top === undefined) throw new Error('no merge')
  t.same(Object.fromEntries(merge(base, merge(middle, top)).variables), left)
  t.same(left, { C: '1', D: '3' })
})

t.test('existing variables are kept, because the module adds only missing ones', async (t) => {
  const { variables } = await envSite(t, 'SetEnvIf Remote_Addr . X=fromif y=yif\nSetEnv X fromset\nUnsetEnv Y', [setenvif, env])
  t.same(await variables(), { X: 'fromif', y: 'yif' })
})

t.test("PassEnv copies variables from the server's environment as bytes, and warns about missing ones", async (t) => {
  environment.GATEWRIGHT_TEST_PASS = 'caf\u00e9'
  t.teardown(() => {
    delete environment.GATEWRIGHT_TEST_PASS
  })
  const { server, variables } = await envSite(t, 'PassEnv GATEWRIGHT_TEST_PASS GATEWRIGHT_TEST_NONE')
  t.same(await variables(), { GATEWRIGHT_TEST_PASS: 'caf\u00c3\u00a9' })
  t.same(moduleLog(server, 'env'), ['warn AH01506: PassEnv variable GATEWRIGHT_TEST_NONE was undefined'])
})

t.test('an equals sign in a name is kept, with a warning', async (t) => {
  const { server, variables } = await envSite(t, 'SetEnv A=B c')
  t.same(await variables(), { 'A=B': 'c' })
  t.same(moduleLog(server, 'env'), [
    "warn AH10032: Spurious usage of '=' in an environment variable name. 'SetEnv A B' expected instead?",
  ])
})
