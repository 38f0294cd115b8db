import {
  type ConfigServices,
  contexts,
  type DirectivePlace,
  defineModule,
  directive,
  isRequestTooExpensive,
  type Pattern,
  type Work,
} from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import { replace } from '../src/replacement.ts'

const ROWS: readonly (readonly [text: string, regex: string, replacement: string, matches: 'first' | 'all', result: string])[] = [
  ['hello world', 'o', '0', 'first', 'hell0 world'],
  ['hello world', 'o', '0', 'all', 'hell0 w0rld'],
  ['hello', 'z', '0', 'all', 'hello'],
  ['aaab', '^a', 'x', 'all', 'xxxb'],
  ['aaab', 'b$', 'y', 'all', 'aaay'],
  ['baxa', '(?<=x)a', 'y', 'first', 'baxy'],
  ['a, b', '\\s*,\\s*', ';', 'all', 'a;b'],
  ['hello', 'l+', '[&]', 'first', 'he[&]o'],
  ['hello', '(l)(l)(z)?', '[$0$1$2$3$4$$a$10$]', 'first', 'he[llll$$al0$]o'],
  ['abab', '(a)b\\1', '<$1$0>', 'first', '<aaba>b'],
  ['ab', 'a|b', '<$0$1>', 'all', '<a><b>'],
  ['hello', 'l+', 'a\\$0 b\\& c\\d\\\\', 'first', 'hea$0 b& cd\\o'],
  ['ab', 'b', 'c\\', 'first', 'ac\\'],
  ['hello', '', 'Z', 'first', 'Zhello'],
  ['ab', '', '-', 'all', '-a-b-'],
  ['hello', 'l*', '-', 'all', '-h-e--o-'],
  ['a\nb', 'a', 'x', 'first', 'x\nb'],
]

let services: ConfigServices | undefined
const module = defineModule<object>({
  name: 'patterns_module',
  source: 'mod_patterns.c',
  perDirectory: { create: () => ({}) },
  directives: {
    Patterns: directive.argv({
      scope: 'directory',
      context: contexts.anywhere,
      set: (_config, _words, command) => {
        services = command.services
      },
    }),
  },
})
const server = await site({ modules: [module], config: 'Patterns' })
t.teardown(() => server.close())

const PLACE: DirectivePlace = { name: 'Header', file: '/srv/.htaccess', line: 3 }
const IDLE: Work = { spend: () => false, pause: () => Promise.resolve() }

for (const [text, regex, replacement, matches, result] of ROWS) {
  t.test(`${matches} ${regex} of ${JSON.stringify(text)} by ${replacement} gives ${JSON.stringify(result)}`, async (t) => {
    t.equal(replace(text, { search: search(regex), replacement, matches, place: PLACE }, IDLE), result)
  })
}

function search(regex: string): Pattern {
  const pattern = services?.pattern(regex)
  if (pattern === undefined || 'error' in pattern) throw new Error(pattern?.error)
  return pattern
}

t.test('a replacement that is interrupted at each match has the same result', async (t) => {
  let pauses = 0
  let due = false
  const busy: Work = {
    spend: () => {
      due = !due
      return due
    },
    pause: async () => void pauses++,
  }
  t.equal(await replace('abcabc', { search: search('b'), replacement: '<$0>', matches: 'all', place: PLACE }, busy), 'a<b>ca<b>c')
  t.equal(pauses, 3)
})

t.test('a field that edits make too long ends the request, with the line that causes it', async (t) => {
  const grow = { search: search('.'), replacement: '$0'.repeat(9), matches: 'all', place: PLACE } as const
  let text = 'abcdefghij'
  t.throws(
    () => {
      for (let round = 0; round < 9; round++) text = String(replace(text, grow, IDLE))
    },
    { name: 'RequestTooExpensive', message: /^\/srv\/\.htaccess:3: Header: the value of the field is too long/ },
  )
  t.ok(text.length <= 1_048_576)
})

t.test("the replacement of one match has httpd's length limit", async (t) => {
  const edit = { search: search('.+'), replacement: '$0$0', matches: 'first', place: PLACE } as const
  t.equal(String(replace('x'.repeat(32_767), edit, IDLE)).length, 65_534)
  try {
    replace('x'.repeat(32_768), edit, IDLE)
    t.fail('65,536 bytes are too many')
  } catch (error) {
    t.ok(isRequestTooExpensive(error))
  }
})
