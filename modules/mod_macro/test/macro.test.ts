import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import macro from '../src/index.ts'
import { replacementOf, substitute } from '../src/substitute.ts'

t.test('parameters are replaced from left to right, the longest first, and inserted text is not searched', (t) => {
  const put = (line: string, values: Readonly<Record<string, string>>): string =>
    substitute(line, Object.keys(values), (index) => Object.values(values)[index])
  t.equal(put('$a$ab-$a', { $a: '1', $ab: '2' }), '12-1')
  t.equal(put('$a $b', { $a: '$b', $b: '$a' }), '$b $a')
  t.equal(put('none', { $a: '1' }), 'none')
  t.equal(put('$A', { $a: '1' }), '$A')
  t.end()
})

t.test('an argument for a parameter with @ is one word whatever it contains', (t) => {
  t.equal(replacementOf('@a', 'x "y" \\z'), '"x \\"y\\" \\\\z"')
  t.equal(replacementOf('$a', 'x "y"'), 'x "y"')
  t.end()
})

t.test('sections in a macro become sections of the server', async (t) => {
  const lines = ['<Macro Page $url $text>', '<Location $url>', 'ErrorDocument 404 "$text"', '</Location>', '</Macro>']
  const server = await site({
    modules: [macro],
    files: {},
    config: [...lines, 'Use Page /a one', 'Use Page /b "two words"'].join('\n'),
  })
  t.teardown(() => server.close())
  t.ok(server.configuration.sections.some(({ title }) => title === '<Location /a>'))
  t.equal(server.configuration.sections.filter(({ kind }) => kind === 'Location').length, 2)
})

const htaccess = async (t: Test, text: string, config = '') => {
  const server = await site({
    modules: [macro],
    files: { 'docs/.htaccess': text, 'docs/f': 'f' },
    config: `${config}\n<Directory @ROOT@/docs>\nAllowOverride All\n</Directory>`,
  })
  t.teardown(() => server.close())
  await server.inject('/f')
  return server.errors().join('\n')
}

t.test('a .htaccess file has its own macros, and not those of the server', async (t) => {
  t.notMatch(await htaccess(t, '<Macro M $a>\nErrorDocument 404 $a\n</Macro>\nUse M x\n'), 'htaccess:')
  t.match(await htaccess(t, 'Use M\n', '<Macro M>\nOptions None\n</Macro>'), /\.htaccess: no macro defined before Use/)
})

t.test('macros that use macros do not grow without bounds', async (t) => {
  const levels = Array.from({ length: 12 }, (_, index) => `<Macro m${index}>\n${`Use m${index + 1}\n`.repeat(10)}</Macro>\n`)
  const text = `${levels.join('')}<Macro m12>\nOptions None\n</Macro>\nUse m0\n`
  t.match(await htaccess(t, text), /\.htaccess: the inserted text is too long/)
})
