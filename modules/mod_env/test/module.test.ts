import { env as environment } from 'node:process'
import t from 'tap'
import type { EnvConfig } from '../src/config.ts'
import env from '../src/index.ts'
import { Bench } from './fakes/bench.ts'
import { fakeRequest, tableOf } from './fakes/request.ts'

/** Variables of a request after the fixup phase. */
function exported(bench: Bench<EnvConfig, undefined>, before: Record<string, string> = {}): Record<string, string> {
  const request = fakeRequest({ env: tableOf(before) })
  bench.hook('fixups')(request)
  return Object.fromEntries(request.env)
}

t.test('the directive table says where each directive may stand', async (t) => {
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

t.test('SetEnv sets variables, without a value empty ones, literally', async (t) => {
  const bench = new Bench(env)
  bench.main('SetEnv A 1', 'SetEnv B', 'SetEnv C "c $1"')
  t.same(exported(bench), { A: '1', B: '', C: 'c $1' })
})

t.test('within one scope the last line about a variable counts', async (t) => {
  const bench = new Bench(env)
  bench.main('SetEnv D 1', 'UnsetEnv D', 'UnsetEnv E', 'SetEnv E 1')
  t.same(exported(bench), { E: '1' })
})

t.test('a deeper scope overrides and takes away what outer ones set', async (t) => {
  const bench = new Bench(env)
  bench.main('SetEnv A main', 'SetEnv B main', 'SetEnv C main')
  const outer = bench.in('Directory', '/srv', 'UnsetEnv a C', 'SetEnv B outer')
  bench.use(outer)
  t.same(exported(bench), { B: 'outer' })
  bench.use(outer, bench.in('Directory', '/srv/in', 'SetEnv A again'))
  t.same(exported(bench), { B: 'outer', A: 'again' })
})

t.test('merging is associative, so that it does not matter which sections are merged first', async (t) => {
  const bench = new Bench(env)
  const base = bench.in('Directory', '/', 'SetEnv A 1', 'SetEnv B 1', 'SetEnv C 1')
  const middle = bench.in('Directory', '/m', 'UnsetEnv A', 'SetEnv B 2')
  const top = bench.in('Directory', '/m/t', 'UnsetEnv B', 'SetEnv D 3')
  bench.use(base, middle, top)
  const left = exported(bench)
  const merge = env.perDirectory?.merge
  if (merge === undefined) throw new Error('no merge')
  bench.use(base, merge(middle, top))
  t.same(exported(bench), left)
  t.same(left, { C: '1', D: '3' })
})

t.test('variables that are there already stay: the module lays its own below them', async (t) => {
  const bench = new Bench(env)
  bench.main('SetEnv X fromset', 'UnsetEnv Y')
  t.same(exported(bench, { X: 'fromif', y: 'yif' }), { X: 'fromif', y: 'yif' })
})

t.test("PassEnv takes over from the server's environment as bytes, and warns of what is not there", async (t) => {
  environment.GATEWRIGHT_TEST_PASS = 'caf\u00e9'
  t.teardown(() => {
    delete environment.GATEWRIGHT_TEST_PASS
  })
  const bench = new Bench(env)
  bench.main('PassEnv GATEWRIGHT_TEST_PASS GATEWRIGHT_TEST_NONE')
  t.same(exported(bench), { GATEWRIGHT_TEST_PASS: 'caf\u00c3\u00a9' })
  t.same(bench.reports, ['warn AH01506 PassEnv variable GATEWRIGHT_TEST_NONE was undefined'])
})

t.test('an equals sign in a name is set as it is written, with advice', async (t) => {
  const bench = new Bench(env)
  bench.main('SetEnv A=B c')
  t.same(exported(bench), { 'A=B': 'c' })
  t.same(bench.reports, ["warn AH10032 Spurious usage of '=' in an environment variable name. 'SetEnv A B' expected instead?"])
})
