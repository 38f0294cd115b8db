import fc from 'fast-check'
import t from 'tap'
import { groupKey } from '../src/group-file.ts'
import { readGroupFile } from './read-group-file.ts'

/** Whether httpd finds the user in the group: a model that searches the file's lines from the beginning. */
function modelled(file: string, user: string, group: string): boolean {
  return modelledLines(file).some((line) => {
    const colon = line.indexOf(':')
    if (colon < 0) return false
    let name = line.slice(0, colon)
    while (name !== '' && BLANKS.includes(name[name.length - 1])) name = name.slice(0, -1)
    return asciiLower(name) === asciiLower(group) && modelledWords(line.slice(colon + 1)).includes(user)
  })
}

const BLANKS = ' \t\v\f\r'

function asciiLower(text: string): string {
  return Array.from(text, (byte) => (byte >= 'A' && byte <= 'Z' ? String.fromCharCode(byte.charCodeAt(0) + 32) : byte)).join('')
}

function modelledLines(file: string): string[] {
  const lines: string[] = []
  let joined = ''
  let line = ''
  for (let at = 0; at <= file.length; at++) {
    const atEnd = at === file.length
    if (!atEnd && file[at] !== '\n') {
      line += file[at]
      continue
    }
    const bare = line.endsWith('\r') ? line.slice(0, -1) : line
    if (!atEnd && bare.endsWith('\\')) {
      joined += bare.slice(0, -1)
      line = ''
      continue
    }
    let text = joined + line
    while (text !== '' && BLANKS.includes(text[0])) text = text.slice(1)
    while (text !== '' && BLANKS.includes(text[text.length - 1])) text = text.slice(0, -1)
    if (text !== '' && text[0] !== '#') lines.push(text)
    joined = ''
    line = ''
  }
  return lines
}

/** A state machine for words: null between words, otherwise the quote of the word, '' for none. */
function modelledWords(text: string): string[] {
  const words: string[] = []
  let quote: string | null = null
  let word = ''
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]
    if (quote === null) {
      if (BLANKS.includes(byte)) continue
      quote = byte === '"' || byte === "'" ? byte : ''
      word = ''
      if (quote !== '') continue
    }
    const escapes = byte === '\\' && (text[at + 1] === '\\' || (quote !== '' && text[at + 1] === quote))
    if (escapes) word += text[++at]
    else if (quote === '' ? BLANKS.includes(byte) : byte === quote) {
      words.push(word)
      quote = null
    } else word += byte
  }
  return quote === null ? words : [...words, word]
}

const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('\n', ':', ': ', ' ', '\t', '\\', '"', "'", '#', ',', '\r\n', '\\\n', '\\\r\n', '\v') },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      '\nadmins: ',
      '\nADMINS : bob ',
      '\nAdmins: zoe "al ice" ',
      '\nbob: bob, b\xc3\xa0b ',
      'bob',
      '"bob"',
      ' bob ',
      'zoe',
      'al ice',
      'b\xc3\xa0b',
      '\xa0',
      '\xc9',
    ),
  },
  { weight: 1, arbitrary: fc.nat({ max: 254 }).map((code) => String.fromCharCode(code + 1)) },
)
const file = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))
const user = fc.constantFrom('bob', 'zoe', 'al ice', 'b\xc3\xa0b', '', 'bob,', '"', '\\')
const group = fc.constantFrom('admins', 'Admins', '', 'bob', '\xc9', '\xe9', 'voil\xc3\xa0')

t.test('any group file is parsed as in httpd', async (t) => {
  let members = 0
  fc.assert(
    fc.property(file, user, group, (text, user, group) => {
      const expected = modelled(text, user, group)
      if (expected) members++
      return (readGroupFile(text).groupsOf(user)?.has(groupKey(group)) ?? false) === expected
    }),
    { numRuns: 20_000, seed: 6_2 },
  )
  t.ok(members > 300, `${members} of the users were in their groups`)
})

t.test('bytes beyond ASCII in names are neither white space nor letters', async (t) => {
  const read = readGroupFile('voil\xc3\xa0: b\xc3\xa0b jos\xc3\xa9\n\xc9: latin\n')
  t.ok(read.groupsOf('b\xc3\xa0b')?.has(groupKey('VOIL\xc3\xa0')))
  t.ok(read.groupsOf('latin')?.has(groupKey('\xc9')))
  t.notOk(read.groupsOf('latin')?.has(groupKey('\xe9')), 'another group, as in httpd')
  t.equal(read.groupsOf('b\xc3'), undefined)
})

t.test('no bytes make reading fail or take long', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      readGroupFile(Buffer.from(bytes).toString('latin1')).groupsOf('bob')
    }),
    { numRuns: 2000, seed: 1 },
  )
  const many = 2_000_000
  for (const text of [' ', '"', '\\', "g: '\\\\", 'g:', '\\\n'].map((each) => each.repeat(many / each.length))) {
    t.equal(readGroupFile(text).groupsOf('bob'), undefined, JSON.stringify(text.slice(0, 10)))
  }
  t.equal(readGroupFile(`g${' '.repeat(many)}x: bob`).groupsOf('bob')?.size, 1)
  t.equal(readGroupFile(`g:${' '.repeat(many)}bob`).groupsOf('bob')?.size, 1)
  t.equal(readGroupFile(`g: "${'x'.repeat(12_000_000)}" bob`).groupsOf('bob')?.size, 1)
})
