import { configError, observedModule, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import type { HeadersConfig } from '../src/config.ts'
import headers from '../src/index.ts'

const ACTIONS =
  "first argument must be 'add', 'set', 'setifempty', 'append', 'merge', 'unset', 'echo', 'note', 'edit', or 'edit*'."
const NO_VARIABLE = 'error: missing environment variable name. envclause should be in the form env=envar '
const NO_CONDITION = "Can't parse envclause/expression: syntax error, unexpected $end, expecting '('"
const NO_TEXT =
  "Can't parse value expression : syntax error, unexpected T_ERROR, expecting T_VAR_END or ':': Unterminated string or variable"

t.test('the directive table has the contexts of each directive', async (t) => {
  t.same(Object.keys(headers.directives ?? {}), ['Header', 'RequestHeader'])
  for (const { kind, scope, context, override } of Object.values(headers.directives ?? {})) {
    t.equal(kind, 'raw')
    t.equal(scope, 'directory')
    t.same(context, ['server', 'virtualhost', 'directory', 'htaccess'])
    t.equal(override, 'FileInfo')
  }
})

const ROWS: readonly (readonly [line: string, error: string | undefined])[] = [
  ['Header', ACTIONS],
  ['Header always', ACTIONS],
  ['Header foo X y', ACTIONS],
  ['Header always always set X y', ACTIONS],
  ['Header edit** X a b', ACTIONS],
  ['RequestHeader', ACTIONS],
  ['RequestHeader always set X y', ACTIONS],
  ['Header foo a b c d e', 'Header has too many arguments'],
  ['Header set X a b c d', 'Header has too many arguments'],
  ['RequestHeader set X a b c d', 'RequestHeader has too many arguments'],
  ['Header set', 'Header requires three arguments'],
  ['Header set X', 'Header requires three arguments'],
  ['RequestHeader set X', 'Header requires three arguments'],
  ['Header note X', 'Header requires three arguments'],
  ['Header set X y', undefined],
  ['Header SET X y', undefined],
  ['Header ALWAYS Set X y', undefined],
  ['Header OnSuccess setIfEmpty X y', undefined],
  ['Header set X ""', undefined],
  ['Header set "" y', undefined],
  ['Header set X y early', undefined],
  ['Header set X y EARLY', undefined],
  ['Header set X y env=A', undefined],
  ['Header set X y ENV=A', undefined],
  ['Header set X y env=', NO_VARIABLE],
  ['Header set X y env=!', NO_VARIABLE],
  ['Header set X y envy=a', 'Unknown parameter: envy=a'],
  ['Header set X y ""', 'Unknown parameter: '],
  ['Header set X %q foo', 'Unknown parameter: foo'],
  ['Header set X y early env=A', 'Too many arguments to directive'],
  ['Header set X y expr=true', undefined],
  ['Header set X y "expr=bad"', NO_CONDITION],
  ['Header set X y EXPR=bad', NO_CONDITION],
  ['Header set X expr=%{bad', NO_TEXT],
  ['Header set X EXPR=bad', undefined],
  ['Header set X %q', 'Unrecognized header format %q'],
  ['Header set X "%{foo', 'Unrecognized header format %'],
  ['Header set X "%{foo}%"', 'Unrecognized header format %%'],
  ['Header set X "% x"', 'Unrecognized header format % '],
  ['Header note X %q', 'Unrecognized header format %q'],
  ['Header unset', undefined],
  ['Header unset X', undefined],
  ['Header unset X env=A', undefined],
  ['Header unset X y', 'Unknown parameter: y'],
  ['Header unset X y env=A', 'header unset takes two arguments'],
  ['Header unset X a b c', 'Too many arguments to directive'],
  ['Header echo', undefined],
  ['Header echo ^X- early', undefined],
  ['Header echo X y', 'Unknown parameter: y'],
  ['Header echo X y z', 'Header echo takes two arguments'],
  ['Header echo ( y', 'Header echo regex could not be compiled'],
  ['RequestHeader echo (', 'Header echo only valid on Header directives'],
  ['RequestHeader echo X y z', 'Header echo takes two arguments'],
  ['RequestHeader note X', "RequestHeader does not support the 'note' action"],
  ['Header edit X', 'Header edit requires a match and a substitution'],
  ['Header edit X a', 'Header edit requires a match and a substitution'],
  ['RequestHeader edit* X a', 'Header edit requires a match and a substitution'],
  ['Header edit X ( b foo', 'Header edit regex could not be compiled'],
  ['Header edit X a)(b c', 'Header edit regex could not be compiled'],
  ['Header edit X a %q foo', 'Unknown parameter: foo'],
  ['Header edit X a %q', 'Unrecognized header format %q'],
  ['Header edit X "" "" env=A', undefined],
  ['RequestHeader edit X a b', undefined],
]

for (const [line, expected] of ROWS) {
  t.test(`${line}: ${expected ?? 'is accepted'}`, async (t) => {
    t.equal(await configError({ modules: [headers], config: line }), expected)
  })
}

/** The configurations of sections, in the order of the lines. */
async function sectionConfigs(t: Test, kind: string, config: string): Promise<readonly Readonly<HeadersConfig>[]> {
  const observed = observedModule(headers)
  const server = await site({ modules: [observed.module], config })
  t.teardown(() => server.close())
  return observed.host.placedConfigs().flatMap(({ config: own, section }) => (section.kind === kind ? [own] : []))
}

t.test('each line applies to the headers it names, and early lines of servers are kept separately', async (t) => {
  const lines = ['Header set A a', 'Header always set B b', 'RequestHeader set C c', 'Header onsuccess set D d early']
  const text = `<VirtualHost *:80>\n${lines.join('\n')}\n</VirtualHost>`
  t.equal(await configError({ modules: [headers], config: text }), undefined)
  const [config] = await sectionConfigs(t, 'VirtualHost', text)
  t.match(config, {
    onSuccess: [{ action: 'set', name: 'A' }],
    always: [{ action: 'set', name: 'B' }],
    request: [{ action: 'set', name: 'C' }],
    early: { onSuccess: [{ action: 'set', name: 'D' }], always: [], request: [] },
  })
  t.same([config?.onSuccess.length, config?.early.onSuccess.length], [1, 1])
})

t.test('early lines of sections are accepted and ignored', async (t) => {
  const [config] = await sectionConfigs(t, 'Location', '<Location "/">\nHeader set A a early\n</Location>')
  t.same([config?.onSuccess, config?.early.onSuccess], [[], []])
})

t.test('the text after a colon is not part of a name', async (t) => {
  const lines = 'Header set X-A: a\nHeader unset X-B:c'
  const [config] = await sectionConfigs(t, 'Location', `<Location "/">\n${lines}\n</Location>`)
  t.match(config?.onSuccess, [{ name: 'X-A' }, { name: 'X-B' }])
})

t.test('outer rules come before inner ones, and merging is associative', async (t) => {
  const lines = ['a', 'b', 'c'].map((value) => `<Directory "/${value}">\nHeader add X ${value}\n</Directory>`)
  const [a, b, c] = await sectionConfigs(t, 'Directory', lines.join('\n'))
  const merge = headers.perDirectory?.merge
  if (merge === undefined || a === undefined || b === undefined || c === undefined) throw new Error('no merge')
  const valuesOf = ({ onSuccess }: Readonly<HeadersConfig>): unknown[] =>
    onSuccess.map((rule) => ('value' in rule ? rule.value : null))
  t.same(valuesOf(merge(merge(a, b), c)), ['a', 'b', 'c'])
  t.same(valuesOf(merge(a, merge(b, c))), ['a', 'b', 'c'])
  t.same(valuesOf(a), ['a'], 'the inputs are not changed')
})
