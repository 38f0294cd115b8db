import t from 'tap'
import { isKnownLetter } from '../src/letters.ts'
import { parseFormat } from '../src/parse-format.ts'

const known = (letter: string): boolean => isKnownLetter(letter, { moduleLoaded: (name) => name === 'logio_module' })
const plain = { argument: '', subject: null, statuses: [], negated: false }

const UNRECOGNIZED = 'Unrecognized LogFormat directive %'
const RAN_OFF = 'Ran off end of LogFormat parsing args to some directive'

const ERRORS: readonly (readonly [format: string, error: string])[] = [
  ['%Z', `${UNRECOGNIZED}Z`],
  ['x%Zy', `${UNRECOGNIZED}Z`],
  ['%x', `${UNRECOGNIZED}x`],
  ['%^F', `${UNRECOGNIZED}^`],
  ['%200%', `${UNRECOGNIZED}%`],
  ['%\u00c3\u00a9', `${UNRECOGNIZED}\u00c3`],
  ['%', RAN_OFF],
  ['%200', RAN_OFF],
  ['%{abc', RAN_OFF],
  ['%{abc}', RAN_OFF],
  ['%!<>', RAN_OFF],
]

for (const [format, error] of ERRORS) {
  t.test(`the format ${format} is rejected`, async (t) => {
    t.same(parseFormat(format, known), { error })
  })
}

const PARTS: readonly (readonly [format: string, parts: readonly unknown[]])[] = [
  ['', []],
  ['abc', ['abc']],
  ['%%', ['%']],
  ['%h', [{ ...plain, letter: 'h' }]],
  ['a %h%u', ['a ', { ...plain, letter: 'h' }, { ...plain, letter: 'u' }]],
  ['%>s %<s', [{ ...plain, letter: 's', subject: 'final' }, ' ', { ...plain, letter: 's', subject: 'original' }]],
  ['%<>s', [{ ...plain, letter: 's', subject: 'final' }]],
  ['%{Host}i', [{ ...plain, letter: 'i', argument: 'Host' }]],
  ['%{a}{b}i', [{ ...plain, letter: 'i', argument: 'b' }]],
  ['%{a}}}i', [{ ...plain, letter: 'i', argument: 'a' }]],
  ['%400,501{User-agent}i', [{ ...plain, letter: 'i', argument: 'User-agent', statuses: [400, 501] }]],
  ['%!200,304s', [{ ...plain, letter: 's', statuses: [200, 304], negated: true }]],
  ['%!!200s', [{ ...plain, letter: 's', statuses: [200] }]],
  ['%,s', [{ ...plain, letter: 's' }]],
  ['%^FBx', [{ ...plain, letter: '^FB' }, 'x']],
  ['%{T}^ti', [{ ...plain, letter: '^ti', argument: 'T' }]],
  ['%^XX', [{ ...plain, letter: '^XX' }]],
  [
    '%I%O%S',
    [
      { ...plain, letter: 'I' },
      { ...plain, letter: 'O' },
      { ...plain, letter: 'S' },
    ],
  ],
  ['x\\n\\t\\r\\\\\\q', ['x\n\t\r\\\\q']],
  ['\\\\n', ['\\n']],
]

for (const [format, parts] of PARTS) {
  t.test(`the format ${JSON.stringify(format)} is parsed`, async (t) => {
    t.same(parseFormat(format, known), parts)
  })
}

t.test('items of mod_logio are unknown without it', async (t) => {
  t.same(
    parseFormat('%O', (letter) => isKnownLetter(letter, { moduleLoaded: () => false })),
    { error: `${UNRECOGNIZED}O` },
  )
})
