import { type AnyModule, type Command, defineModule, directive } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import { refusal } from './support/refusal.ts'

const HELP = 'what it is for'
const common = { scope: 'server', context: ['server'], help: HELP } as const

/** A module with one directive of each kind; every call of a setter is recorded. */
function kinds(calls: unknown[][]): AnyModule {
  // Setters are called with their words and the command last.
  const note = (...given: readonly [unknown, ...unknown[]]): undefined => {
    const words = given.slice(1)
    calls.push(words.filter((value) => !isCommand(value)))
    return undefined
  }
  return defineModule({
    name: 'kinds_module',
    source: 'mod_kinds.c',
    directives: {
      NoArgs: directive.noArgs({ ...common, set: note }),
      Take1: directive.take1({ ...common, set: note }),
      Take2: directive.take2({ ...common, set: note }),
      Take12: directive.take12({ ...common, set: note }),
      Take3: directive.take3({ ...common, set: note }),
      Take23: directive.take23({ ...common, set: note }),
      Take123: directive.take123({ ...common, set: note }),
      Take13: directive.take13({ ...common, set: note }),
      Iterate: directive.iterate({ ...common, set: note }),
      Iterate2: directive.iterate2({ ...common, set: note }),
      Flag: directive.flag({ ...common, set: note }),
      Argv: directive.argv({ ...common, set: note }),
      Raw: directive.raw({ ...common, set: note }),
      Silent: directive.take1({ scope: 'server', context: ['server'], set: note }),
      Shouted: directive.take1({ ...common, declaredAs: 'shouTed', set: note }),
      FailsAtB: directive.iterate({ ...common, set: (_config, word) => (word === 'b' ? 'b is refused' : note(0, word)) }),
    },
  })
}

function isCommand(value: unknown): value is Command {
  return typeof value === 'object' && value !== null && 'inHtaccess' in value
}

const U = undefined
/** A line and the calls that it makes. */
const TAKEN: readonly (readonly [string, ...unknown[][]])[] = [
  ['NoArgs', []],
  ['Take1 a', ['a']],
  ['Take1 "a b"', ['a b']],
  ["Take1 'a \"b'", ['a "b']],
  ['Take1 "a b', ['a b']],
  ['Take1 "a\\"b\\\\c\\n"', ['a"b\\c\\n']],
  ['Take1 a\\\\b\\c', ['a\\b\\c']],
  ['Take1 /x"y', ['/x"y']],
  ['TAKE1 Case', ['Case']],
  ['Take1 a\\\nb', ['ab']],
  ['Take2 a\\\n   b', ['a', 'b']],
  ['Take1 a\\ ', ['a\\']],
  ['Take2 a b', ['a', 'b']],
  ['Take2 "a"b', ['a', 'b']],
  ['Take12 a', ['a', U]],
  ['Take12 a b', ['a', 'b']],
  ['Take12 a ""', ['a', U]],
  ['Take3 a b c', ['a', 'b', 'c']],
  ['Take23 a b', ['a', 'b', U]],
  ['Take23 a b c', ['a', 'b', 'c']],
  ['Take123 a', ['a', U, U]],
  ['Take123 a b', ['a', 'b', U]],
  ['Take123 a b c', ['a', 'b', 'c']],
  ['Take13 a', ['a', U, U]],
  ['Take13 a b c', ['a', 'b', 'c']],
  ['Iterate a', ['a']],
  ['Iterate a "b c" d', ['a'], ['b c'], ['d']],
  ['Iterate a "" c', ['a']],
  ['Iterate2 a b', ['a', 'b']],
  ['Iterate2 a b c', ['a', 'b'], ['a', 'c']],
  ['Iterate2 a b "" d', ['a', 'b']],
  ['Iterate2 a ""'],
  ['Flag On', [true]],
  ['Flag off', [false]],
  ['Flag oN Off', [true]],
  ['Flag "on"', [true]],
  ['Argv', [[]]],
  ['Argv a "b c"', [['a', 'b c']]],
  [`Argv ${'x '.repeat(70)}`, [Array.from({ length: 64 }, () => 'x')]],
  ['Raw', ['']],
  ['Raw   "a  b"  \'c\'  ', ['"a  b"  \'c\'']],
  ['Raw a # b', ['a # b']],
]

for (const [line, ...expected] of TAKEN) {
  t.test(`${JSON.stringify(line.length < 90 ? line : 'Argv with 70 words')} reaches its setter`, async (t) => {
    const calls: unknown[][] = []
    const server = await site({ config: line, modules: [kinds(calls)] })
    await server.close()
    t.strictSame(calls, expected)
  })
}

/** Lines with a wrong number of words, and the message. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['NoArgs a', 'NoArgs takes no arguments'],
  ...['', ' a b', ' ""', ' "a"b'].map((words): [string, string] => [`Take1${words}`, `Take1 takes one argument, ${HELP}`]),
  ...['', ' a', ' a b c', ' a ""', ' "" b'].map((words): [string, string] => [
    `Take2${words}`,
    `Take2 takes two arguments, ${HELP}`,
  ]),
  ...['', ' a b c', ' "" b'].map((words): [string, string] => [`Take12${words}`, `Take12 takes 1-2 arguments, ${HELP}`]),
  ...[' a b', ' a b c d', ' a "" c'].map((words): [string, string] => [`Take3${words}`, `Take3 takes three arguments, ${HELP}`]),
  ...[' a', ' a b c d', ' "" b'].map((words): [string, string] => [
    `Take23${words}`,
    `Take23 takes two or three arguments, ${HELP}`,
  ]),
  ...['', ' a b c d', ' ""'].map((words): [string, string] => [
    `Take123${words}`,
    `Take123 takes one, two or three arguments, ${HELP}`,
  ]),
  ...['', ' a b', ' a b c d'].map((words): [string, string] => [
    `Take13${words}`,
    `Take13 takes one or three arguments, ${HELP}`,
  ]),
  ...['', ' "" b'].map((words): [string, string] => [`Iterate${words}`, `Iterate requires at least one argument, ${HELP}`]),
  ...['', ' a'].map((words): [string, string] => [`Iterate2${words}`, `Iterate2 requires at least two arguments, ${HELP}`]),
  ...['', ' maybe', ' 1', ' ""'].map((words): [string, string] => [`Flag${words}`, 'Flag must be On or Off']),
  ['Silent', 'Silent takes one argument'],
  ['SHOUTED', `shouTed takes one argument, ${HELP}`],
]

for (const [line, message] of REFUSED) {
  t.test(`${JSON.stringify(line)} is refused`, async (t) => {
    const calls: unknown[][] = []
    const refused = await refusal(line, { modules: [kinds(calls)] })
    t.match(refused, { phase: 'walk', line: 1, message })
    t.equal(refused.message, message)
    t.strictSame(calls, [])
  })
}

t.test('an iterating directive stops at the first word that its setter refuses', async (t) => {
  const calls: unknown[][] = []
  const refused = await refusal('FailsAtB a b c', { modules: [kinds(calls)] })
  t.equal(refused.message, 'b is refused')
  t.strictSame(calls, [['a']])
})

t.test('a directive that two modules declare is handled by both, the one loaded last first', async (t) => {
  const seen: string[] = []
  const module = (name: string, answer: (word: string) => string | undefined): AnyModule =>
    defineModule({
      name: `${name}_module`,
      source: `mod_${name}.c`,
      directives: {
        Shared: directive.take1({
          ...common,
          help: name,
          set: (_config, word) => {
            seen.push(`${name} ${word}`)
            return answer(word)
          },
        }),
      },
    })
  const modules = [module('early', () => undefined), module('late', (word) => (word === 'bad' ? 'late refuses' : undefined))]
  const server = await site({ config: 'Shared x', modules })
  await server.close()
  t.strictSame(seen, ['late x', 'early x'])
  t.equal((await refusal('Shared', { modules })).message, 'Shared takes one argument, late')
  seen.length = 0
  t.equal((await refusal('Shared bad', { modules })).message, 'late refuses')
  t.strictSame(seen, ['late bad'], 'the first error ends it')
})
