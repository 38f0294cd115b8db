import { expandVariables } from '@gatewright/config'
import { seededNumbers } from '@gatewright/testing'
import t from 'tap'
import { isSameName, namesIn, type Occurrence } from '../src/definition/names.ts'

/** The names of a text, as `NAME@LINE:START` with the kind; definitions have an exclamation mark. */
function shown(text: string): readonly string[] {
  return namesIn(text).map(({ kind, name, line, start, defines }) => `${kind} ${name}@${line}:${start}${defines ? '!' : ''}`)
}

t.test('a variable has every name that the server accepts', async (t) => {
  t.strictSame(shown('Define my-docs /srv\nDocumentRoot "${my-docs}/a"\nAlias /x ${a.b}'), [
    'variable my-docs@0:7!',
    'variable my-docs@1:16',
    'variable a.b@2:11',
  ])
  t.strictSame(shown('RewriteRule ^ ${map:$1|x} [L]'), [], 'a map of mod_rewrite is no variable')
  t.strictSame(shown('<Macro Site $name>\n  Define $name x\n  Use $name\n</Macro>'), ['macro Site@0:7!'], 'nor is a parameter')
})

t.test('the provider that an alias is made of is a use, and so is one whose answers are cached', async (t) => {
  t.strictSame(shown('<AuthzProviderAlias ip office "10.0.0.0/8">\n<AuthzProviderAlias office near "">\nRequire not near'), [
    'authz provider ip@0:20',
    'authz provider office@0:23!',
    'authz provider office@1:20',
    'authz provider near@1:27!',
    'authz provider near@2:12',
  ])
  t.strictSame(shown('AuthnCacheProvideFor staff dbd'), ['authn provider staff@0:21', 'authn provider dbd@0:27'])
})

/** The text with another name in place of one. */
function renamed(text: string, name: Pick<Occurrence, 'kind' | 'name'>, to: string): string {
  const lines = text.split('\n')
  for (const { line, start, end } of namesIn(text)
    .filter((one) => isSameName(one, name))
    .reverse())
    lines[line] = `${lines[line].slice(0, start)}${to}${lines[line].slice(end)}`
  return lines.join('\n')
}

/** What the server reads: the lines with the values of variables, and without definitions. */
function read(text: string): readonly string[] {
  const values = new Map<string, string>()
  const found: string[] = []
  for (const line of text.split('\n')) {
    if (/^\s*#/.test(line)) continue
    const whole = expandVariables(line, { value: (name) => values.get(name), undefinedVariable: () => undefined })
    const [, name, value] = /^\s*Define "?([^"\s]+)"? (.*)$/.exec(whole) ?? []
    if (name === undefined) found.push(whole)
    else values.set(name, value)
  }
  return found
}

t.test('a configuration in which a variable got another name means the same (random texts)', async (t) => {
  const below = seededNumbers(20_261_130)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]
  const names = ['A', 'a', 'DOCS', 'my-docs', 'x.y', 'A_1', 'é']
  for (let turn = 0; turn < 3000; turn++) {
    const one = (): string => pick(names)
    const line = (): string =>
      pick([
        () => `Define ${one()} /v${below(9)}`,
        () => `  Define "${one()}" \${${one()}}x`,
        () => `Alias /a "\${${one()}}/\${${one()}}"`,
        () => `# \${${one()}}`,
        () => `SetEnv \${${one()} \${${one()}}}`,
        () => `RewriteRule \${map:\${${one()}}} \${${one()}:x}`,
        () => `DocumentRoot \${}\${${one()}}`,
      ])()
    const text = Array.from({ length: 1 + below(8) }, line).join('\n')
    const name = one()
    const after = renamed(text, { kind: 'variable', name }, 'NEW_NAME')
    const undone = read(after).map((each) => each.replaceAll('NEW_NAME', name))
    if (JSON.stringify(undone) === JSON.stringify(read(text).map((each) => each.replaceAll('NEW_NAME', name)))) continue
    return t.strictSame({ text, name, read: undone }, { text, name, read: read(text) })
  }
  t.pass('all mean the same')
})
