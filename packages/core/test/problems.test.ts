import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyModule, defineModule, directive, type Module, type Problem, type StartHook } from '@gatewright/api'
import authzCore from 'mod_authz_core'
import t from 'tap'
import { complaints, refusal } from './support/refusal.ts'

const CAUSE = { code: 13, text: 'Permission denied' }
const WHOLE: Problem = { code: 'AH09999', message: 'no good', hint: 'mend it', cause: CAUSE }
const CONF = { scope: 'server', context: ['server'] } as const

/**
 * A module whose directives and Require line are rejected with a problem, or with the text of an older
 * module.
 */
const probe: Module<undefined, object> = defineModule({
  name: 'probe_module',
  source: 'mod_probe.c',
  perServer: { create: () => ({}) },
  directives: {
    Bound: directive.take1({ ...CONF, set: () => WHOLE }),
    Elsewhere: directive.take1({ ...CONF, set: () => ({ message: 'no good', place: { file: 'other.conf', line: 7 } }) }),
    Read: directive.take1({ ...CONF, readTime: true, set: () => WHOLE }),
    OldBound: directive.take1({ ...CONF, set: () => 'no good\nhint: mend it' }),
    OldRead: directive.take1({ ...CONF, readTime: true, set: () => 'no good\nhint: mend it' }),
    '<IfProbe': directive.condition({ ...CONF, set: () => WHOLE }),
    Idle: directive.take1({ ...CONF, help: 'for old configurations', effect: 'none', set: () => undefined }),
    Busy: directive.take1({ ...CONF, help: 'accepted words', set: () => undefined }),
  },
  register: ({ providers }) => providers.authz.add('probe', { parse: () => WHOLE }),
})
const modules = [probe, authzCore]
const PRINTED = '(13)Permission denied: AH09999: no good'

t.test('a directive, a condition and a provider are refused with a problem, printed with its place and its hint', async (t) => {
  const walk = ['AH00526: Syntax error on line 1 of ROOT/conf/httpd.conf:', PRINTED, 'hint: mend it']
  t.strictSame((await refusal('Bound x', { modules })).console, walk)
  const inDirectory = await refusal('<Directory />\nRequire probe\n</Directory>', { modules })
  t.strictSame(inDirectory.console, ['AH00526: Syntax error on line 2 of ROOT/conf/httpd.conf:', PRINTED, 'hint: mend it'])
  const read = [`httpd: Syntax error on line 1 of ROOT/conf/httpd.conf: ${PRINTED}`, 'hint: mend it']
  t.strictSame((await refusal('Read x', { modules })).console, read)
  t.strictSame((await refusal('<IfProbe x>\n</IfProbe>', { modules })).console, read)
})

t.test('a problem may name another line than that of its directive', async (t) => {
  t.match(await refusal('Elsewhere x', { modules }), { file: 'other.conf', line: 7, message: 'no good', hint: undefined })
})

t.test('texts of older modules can still end with a hint, wherever they are returned', async (t) => {
  t.match(await refusal('OldBound x', { modules }), { phase: 'walk', message: 'no good', hint: 'mend it' })
  t.match(await refusal('OldRead x', { modules }), { phase: 'read', message: 'no good', hint: 'mend it' })
  const hook = starting(() => 'AH09999: no good\nhint: mend it')
  t.strictSame((await refusal('', { modules: [hook] })).console, [
    'AH09999: no good',
    'AH00014: Configuration check failed',
    'hint: mend it',
  ])
})

t.test('a hook of the start ends it with a problem, and its place is reported like that of a directive', async (t) => {
  t.strictSame((await refusal('', { modules: [starting(() => WHOLE)] })).console, [
    PRINTED,
    'AH00014: Configuration check failed',
    'hint: mend it',
  ])
  const placed = starting(() => Promise.resolve({ message: 'no good', place: { file: 'a.conf', line: 3 } }))
  t.strictSame((await refusal('', { modules: [placed] })).console, [
    'AH00526: Syntax error on line 3 of a.conf:',
    'no good',
    'AH00014: Configuration check failed',
  ])
})

t.test('a directive is without effect if it declares that, regardless of its help', async (t) => {
  const lines = await complaints('LogLevel info\nIdle x\nBusy x', { modules })
  t.match(
    lines.filter((line) => line.includes('without effect')),
    [/accepted without effect: Idle \(ROOT\/conf\/httpd\.conf:\d+\)$/],
  )
  t.match((await refusal('Idle', { modules })).message, /^Idle takes one argument, accepted; for old configurations$/)
})

t.test('no message of core or of a module has a hint inside', (t) => {
  const root = join(import.meta.dirname, '../../..')
  const files = globSync(['packages/core/src/**/*.ts', 'modules/*/src/**/*.ts'], { cwd: root })
  t.ok(files.length > 500, `${files.length} files`)
  const found = files.filter((file) => /\\nhint: /.test(readFileSync(join(root, file), 'utf8')))
  t.strictSame(found, ['packages/core/src/base/hint-text.ts'])
  t.end()
})

function starting(check: StartHook): AnyModule {
  return defineModule({ name: 'late_module', source: 'mod_late.c', register: ({ hooks }) => hooks.checkConfig.add(check) })
}
