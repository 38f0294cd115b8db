import { configError, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import reflector from '../../mod_reflector/src/index.ts'
import sed from '../src/index.ts'

const TEXT = 'a b c\naab abc\nx/y a.c\tq\nlast aa\\n[b]'
const modules = [authzCore, sed, reflector]

const quoted = (script: string): string => `"${script.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

async function edited(t: Test, script: string, text: string = TEXT): Promise<string> {
  const config = `<Location />\nSetOutputFilter Sed\nOutputSed ${quoted(script)}\n</Location>`
  const server = await site({ modules, config, files: { 'docs/f.txt': text } })
  t.teardown(() => server.close())
  const { status, body } = await server.inject('/f.txt')
  t.equal(status, 200)
  return body
}

/** What httpd 2.4.71 makes of the text. */
const RESULTS: readonly (readonly [script: string, result: string])[] = [
  ['s/a/b/p', 'b b c\nbab abc\nx/y b.c\tq\nlbst aa\\n[b]\n'],
  ['$p', 'a b c\naab abc\nx/y a.c\tq\nlast aa\\n[b]\nlast aa\\n[b]\n'],
  ['n;=', 'a b c\n2\naab abc\nx/y a.c\tq\n4\nlast aa\\n[b]\n'],
  ['l;d', 'a b c\naab abc\nx/y a.c\\11q\nlast aa\\n[b]\n'],
  ['s/x*/y/g', 'yay yby ycy\nyayayby yaybycy\ny/yyy yay.ycy\tyqy\nylyaysyty yayay\\yny[yby]y\n'],
  ['s/a*/x/3', 'a bx c\naab xbc\nx/xy a.c\tq\nlasxt aa\\n[b]\n'],
  ['s/b*/X/2', 'aX b c\naXab abc\nxX/y a.c\tq\nlXast aa\\n[b]\n'],
  ['2{s/a/b/;s/b/c/;}', 'a b c\ncab abc\nx/y a.c\tq\nlast aa\\n[b]\n'],
  ['1!G;h;$!d', 'last aa\\n[b]\nx/y a.c\tq\naab abc\na b c\n'],
  ['N;P;D', 'a b c\naab abc\nx/y a.c\tq\n'],
  ['$!N;$!D', 'x/y a.c\tq\nlast aa\\n[b]\n'],
  ['N;N;s/\\n/-/g', 'a b c-aab abc-x/y a.c\tq\n'],
  ['H;$!d;x;s/\\n/,/g', ',a b c,aab abc,x/y a.c\tq,last aa\\n[b]\n'],
  ['3,1d', 'a b c\naab abc\nlast aa\\n[b]\n'],
  ['/b/,1d', 'aab abc\nx/y a.c\tq\n'],
  ['2,/c/d', 'a b c\nlast aa\\n[b]\n'],
  ['2,1!d', 'aab abc\n'],
  ['s/\\(ab\\)*/X/g', 'a b c\naab abc\nx/y a.c\tq\nlast aa\\n[b]\n'],
  ['s/\\(.\\)\\1/X/', 'a b c\nXb abc\nx/y a.c\tq\nlast X\\n[b]\n'],
  ['s/a\\{1,2\\}/X/g', 'X b c\nXb Xbc\nx/y X.c\tq\nlXst X\\n[b]\n'],
  ['s/[^]a]/X/g', 'aXXXX\naaXXaXX\nXXXXaXXXX\nXaXXXaaXXXX]\n'],
  ['s/[\\n]/x/g', 'a b c\naab abc\nx/y a.c\tq\nlast aaxx[b]\n'],
  ['s/a**/X/', 'X b c\nXb abc\nXx/y a.c\tq\nXlast aa\\n[b]\n'],
  ['/[/]/d', 'a b c\naab abc\nlast aa\\n[b]\n'],
  ['s/a/x\\ny/', 'xny b c\nxnyab abc\nx/y xny.c\tq\nlxnyst aa\\n[b]\n'],
  ['y/a/\\n/', '\n b c\n\n\nb \nbc\nx/y \n.c\tq\nl\nst \n\n\\n[b]\n'],
  ['#n;p', ''],
  ['q', 'a b c\n'],
]

t.test('scripts have the results of httpd', async (t) => {
  for (const [script, result] of RESULTS) t.equal(await edited(t, script), result, script)
})

/** httpd's reasons. */
const REFUSED: readonly (readonly [script: string, reason: string])[] = [
  ['2{s/a/b/;s/b/c/}', 'command garbled'],
  ['a\\hello', 'command garbled'],
  ['s/a/b/gg', 'command garbled'],
  ['= ', 'command garbled'],
  [':a;s/a/b/;ta', 'label too long'],
  [':', 'duplicate labels'],
  ['y/ab/xy', 'ending delimiter missing on string'],
  ['s/a/b', 'ending delimiter missing on substitution'],
  ['}', "too many }'s"],
  ['s//X/', 'first RE may not be null'],
  ['s/a\\{3,2\\}/x/', 'First number exceeds second in \\{ \\}'],
  ['s/a\\{300\\}/x/', 'Range endpoint too large'],
  ['s/\\(a/x/', '\\( \\) imbalance'],
  ['s/[a/x/', '[ ] imbalance'],
  ['s/a/\\1/', "``\\digit'' out of range"],
  ['s/a/b/513', 'suffix too large'],
  ['W x', 'unrecognized command'],
]

t.test('wrong scripts are refused with the reasons of httpd', async (t) => {
  for (const [script, reason] of REFUSED) {
    const config = `<Location />\nOutputSed ${quoted(script)}\n</Location>`
    t.equal(await configError({ modules, config }), `Failed to compile sed expression. ${reason}: ${script}`)
  }
})

t.test('a label that does not exist is found when a response is edited, and answered with 500', async (t) => {
  const config = '<Location />\nSetOutputFilter Sed\nOutputSed bx\n</Location>'
  const server = await site({ modules, config, files: { 'docs/f.txt': TEXT } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).status, 500)
  const errors = server.errors().join('')
  t.match(errors, /AH02998: undefined label: x/)
  t.match(errors, /\(20014\)Internal error .*AH10394: error evaluating sed on output/)
})

t.test('a script that never ends, or keeps too much, is stopped', async (t) => {
  const config = ['loop', 'hold']
    .map((name, index) => `<Location /${name}>\nSetOutputFilter Sed\nOutputSed ${quoted(index === 0 ? ':x' : 'H;d')}\n`)
    .map((text, index) => `${text}${index === 0 ? 'OutputSed "bx"\n' : ''}</Location>`)
    .join('\n')
  const line = 'x'.repeat(99_999)
  const files = { 'docs/loop': TEXT, 'docs/hold': `${line}\n`.repeat(90) }
  const server = await site({ modules, config, files })
  t.teardown(() => server.close())
  t.equal((await server.inject('/loop')).status, 500)
  t.equal((await server.inject('/hold')).status, 500)
  t.match(server.errors().join(''), /\(12\)Cannot allocate memory.*AH10394/)
})

t.test('the lines of request bodies are edited, and a script of an inner section replaces that of the outer one', async (t) => {
  const config = `<Location /in>
SetHandler reflector
SetInputFilter Sed
InputSed "s/word/WORD/g"
InputSed "/drop/d"
</Location>
<Location /in/inner>
InputSed "s/a/b/"
</Location>`
  const server = await site({ modules, config, files: {} })
  t.teardown(() => server.close())
  const post = (target: string) => server.inject({ method: 'POST', target, body: 'a word, a word\ndrop this\nend' })
  t.equal((await post('/in/x')).body, 'a WORD, a WORD\nend\n')
  t.equal((await post('/in/inner')).body, 'b word, a word\ndrop this\nend\n')
})
