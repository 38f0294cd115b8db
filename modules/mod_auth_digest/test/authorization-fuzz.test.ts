import { seededNumbers } from '@gatewright/testing'
import t from 'tap'
import { readAuthorization } from '../src/authorization.ts'

const HEADERS = 60_000
const NONCE = `AAAAAAAAAAA=${'0'.repeat(40)}`
const RESPONSE = 'f'.repeat(32)

/** One field, with everything after it that is ignored. */
const FIELD = /[\s]*([^=,\s]*)[\s]*(?:=[\s]*(?:"((?:\\[\s\S]|[^"\\])*\\?)"?|([^,\s]*)))?[^,]*(?:,|$)/y

/** The same grammar as one pattern, written independently of the parser. */
function model(header: string): unknown {
  const [, scheme, rest] = /^(\S*)\s*([\s\S]*)$/.exec(header) ?? []
  if (!/^digest$/i.test(scheme)) return { scheme }
  const fields = new Map<string, string>()
  FIELD.lastIndex = 0
  while (FIELD.lastIndex < rest.length) {
    const [, name, quoted, token] = FIELD.exec(rest) ?? []
    fields.set(name.toLowerCase(), quoted?.replace(/\\([\s\S])/g, '$1') ?? token ?? '')
  }
  const get = (name: string): string | null => fields.get(name) ?? null
  const needed = ['username', 'realm', 'uri', ...(fields.has('qop') ? ['nc', 'cnonce'] : [])]
  if (!needed.every((name) => fields.has(name))) return 'incomplete'
  if (!/^[\s\S]{11}=[\s\S]{40}$/.test(get('nonce') ?? '') || get('response')?.length !== 32) return 'incomplete'
  return {
    username: get('username'),
    realm: get('realm'),
    nonce: get('nonce'),
    uri: get('uri'),
    response: get('response'),
    algorithm: get('algorithm'),
    opaque: get('opaque'),
    qop: get('qop'),
    cnonce: get('cnonce') ?? '',
    count: get('nc') ?? '',
  }
}

const NAMES = ['username', 'REALM', 'nonce', 'uri', 'response', 'algorithm', 'opaque', 'qop', 'cnonce', 'nc', 'x', '']
const VALUES = ['bob', 'R', NONCE, RESPONSE, '/', 'auth', 'a\\"b', 'a\\', ',', ', nc=1', '"', '\\\\', '\xe9\xff', ' ', '']
const BETWEEN = [', ', ',', ' ,\t', ' ', '; ', ',,', '"', '\\', '=']

t.test('any header is parsed according to the grammar', async (t) => {
  const random = seededNumbers(20120211)
  const pick = <T>(of: readonly T[]): T => of[random(of.length)]
  const value = (): string => (random(2) === 0 ? `"${pick(VALUES)}"` : pick(VALUES))
  const outcomes = { credentials: 0, incomplete: 0, scheme: 0 }
  for (let count = 0; count < HEADERS; count++) {
    const isWhole = random(2) === 0
    let header = pick(['Digest ', 'Digest ', 'dIGEST\t ', 'Digest', 'Basic ', ' '])
    for (const name of NAMES) {
      const right =
        name === 'nonce' ? `"${NONCE}"` : name === 'response' ? RESPONSE : isWhole ? `"${pick(VALUES.slice(0, 7))}"` : value()
      const between = isWhole ? ', ' : pick(BETWEEN)
      if (isWhole || random(2) === 0) header += `${name}${pick(['=', ' = ', '=\t'])}${right}${between}`
    }
    for (let changes = random(4); changes > 0; changes--) {
      const at = random(header.length)
      header = header.slice(0, at) + pick([...BETWEEN, ...VALUES]) + header.slice(at + random(3))
    }
    const read = readAuthorization(header)
    const expected = model(header)
    if (JSON.stringify(read) !== JSON.stringify(expected)) t.same(read, expected, JSON.stringify(header))
    outcomes[read === 'incomplete' ? 'incomplete' : 'scheme' in read ? 'scheme' : 'credentials']++
  }
  for (const [outcome, times] of Object.entries(outcomes)) t.ok(times > HEADERS / 100, `${outcome}: ${times}`)
})

t.test('a header of one megabyte is parsed to its end', async (t) => {
  const many = 500_000
  for (const filling of ['a', '"', '\\', ',', '=', ' ', 'a=', 'a="', '\\"', ' ,', '="\\']) {
    const header = `Digest ${filling.repeat(many)}", username=bob`
    t.equal(readAuthorization(header), 'incomplete', JSON.stringify(filling))
  }
})
