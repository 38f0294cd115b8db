import t from 'tap'
import { isChecked, wordsToAvoid } from '../build/plain-words.mjs'

t.test('a planted word is found in comments, texts and templates, with its line and a better word', async (t) => {
  const source = [
    '/** Sends a message. The client is told. */',
    'const a = 1 // goes on with the next one',
    "const hint = 'a module that this server has not: take it out'",
    'const message = `whoever asks for ' + '$' + '{a} is refused`',
    '/**',
    ' * Reads a file.',
    ' * It stands behind the other.',
    ' */',
  ].join('\n')
  t.strictSame(
    wordsToAvoid('x.ts', source).map((line) => line.replace(/': write .*/, '')),
    ["x.ts:1: 'told", "x.ts:2: 'goes on", "x.ts:3: 'has not", "x.ts:4: 'whoever", "x.ts:7: 'stands behind"],
  )
  t.match(wordsToAvoid('x.ts', '// The client is told.')[0], /write reports/)
})

t.test('names, code in comments and words that only contain such a word pass', async (t) => {
  const source = "// Calls `tell` for untold lines.\nconst told = tell('it has not ended')"
  t.strictSame(wordsToAvoid('x.ts', source), [])
})

t.test('sources and build scripts are checked, tests are not', async (t) => {
  t.ok(isChecked('packages/mpm/src/supervisor/supervisor.ts'))
  t.notOk(isChecked('packages/mpm/test/supervisor.test.ts'))
  t.notOk(isChecked('build/plain-words.mjs'))
})
