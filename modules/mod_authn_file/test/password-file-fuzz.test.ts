import fc from 'fast-check'
import t from 'tap'
import { readPasswordFile } from './read-password-file.ts'

/**
 * The entry that httpd finds for a user, reading the file byte by byte from its beginning; undefined for an
 * unknown user.
 */
function modelled(file: string, user: string): { hash: string; realmHashes: Map<string, string> } | undefined {
  let found: { hash: string; realmHashes: Map<string, string> } | undefined
  for (const line of modelledLines(file)) {
    const fields = line.split(':')
    if (fields[0] !== user) continue
    found ??= { hash: fields[1] ?? '', realmHashes: new Map() }
    const realm = fields[1] ?? ''
    if (!found.realmHashes.has(realm)) found.realmHashes.set(realm, fields[2] ?? '')
  }
  return found
}

/** Logical lines without comments and empty ones, up to one that is longer than httpd's buffer. */
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
    if (joined.length + line.length > 8190) break
    const bare = line.endsWith('\r') ? line.slice(0, -1) : line
    if (!atEnd && bare.endsWith('\\')) {
      joined += bare.slice(0, -1)
      line = ''
      continue
    }
    let text = joined + line
    while (text !== '' && ' \t\v\f\r'.includes(text[0])) text = text.slice(1)
    while (text !== '' && ' \t\v\f\r'.includes(text[text.length - 1])) text = text.slice(0, -1)
    if (text !== '' && text[0] !== '#') lines.push(text)
    joined = ''
    line = ''
  }
  return lines
}

/** Bytes with a meaning for the parser are frequent, compared with all others. */
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('\n', ':', '\\', '#', ' ', '\t', '\r', '\r\n', '\\\n', '\\\r\n', '\v', '\f', '"') },
  {
    weight: 6,
    arbitrary: fc.constantFrom('bob', '\nbob:', '\nzoe:R:', 'R', 'hash', '$2y$05$', 'b\xc3\xa0b', '\xa0', '\x85', '\xff'),
  },
  { weight: 1, arbitrary: fc.nat({ max: 254 }).map((code) => String.fromCharCode(code + 1)) },
  { weight: 1, arbitrary: fc.constantFrom(8180, 8190, 8191, 8192).map((length) => 'x'.repeat(length)) },
)
const file = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

t.test('any password file is parsed as in httpd', async (t) => {
  let known = 0
  fc.assert(
    fc.property(file, fc.constantFrom('bob', 'zoe', 'b\xc3\xa0b', '', 'R', '\xa0', 'bob zoe'), (text, user) => {
      const read = readPasswordFile(text)
      const expected = modelled(text, user)
      if (expected !== undefined) known++
      return (
        read.storedPassword(user) === expected?.hash &&
        ['R', '', 'hash'].every((realm) => read.realmHash(user, realm) === expected?.realmHashes.get(realm))
      )
    }),
    { numRuns: 8000, seed: 5_6 },
  )
  t.ok(known > 400, `${known} of the users were in their files`)
})

t.test('no bytes make reading fail or take long', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      const read = readPasswordFile(Buffer.from(bytes).toString('latin1'))
      read.storedPassword('bob')
      read.realmHash('bob', 'R')
    }),
    { numRuns: 2000, seed: 1 },
  )
  for (const text of ['\\\n', ' ', '\n', '#', ':', '\\', 'bob:\n'].map((each) => each.repeat(500_000))) {
    t.equal(readPasswordFile(text).storedPassword('zoe'), undefined)
  }
})
