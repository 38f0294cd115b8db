import t from 'tap'
import { authorityOf, escapeAbsoluteUrl, schemeOf } from '../src/absolute-url.ts'
import { cookieOf } from '../src/cookie.ts'
import { escapeReference } from '../src/escape-reference.ts'
import { readFlags } from '../src/flag-list.ts'
import { lineWords } from '../src/line-words.ts'

const NOTHING: ReadonlySet<string> = new Set()

t.test('lines are split as httpd splits them', (t) => {
  const table: readonly (readonly [line: string, words: readonly (string | null)[] | null])[] = [
    ['a b', ['a', 'b', null]],
    ['a  b\t[L]', ['a', 'b', '[L]']],
    ['"a b" \'c d\' "[B= ?]"', ['a b', 'c d', '[B= ?]']],
    ['a\\ b c', ['a\\ b', 'c', null]],
    ['"a\\"b" c', ['a\\', 'b"', 'c']],
    ['a b [L, R]', ['a', 'b', '[L,']],
    ['a', null],
    ['"a', null],
    ['', null],
  ]
  for (const [line, words] of table) {
    const got = lineWords(line)
    t.strictSame(got === null ? null : [got.first, got.second, got.flags], words, line)
  }
  t.end()
})

t.test('flags are passed on one by one, up to the first wrong one', (t) => {
  const seen: string[] = []
  const read = (name: string, value: string): string | undefined => {
    seen.push(`${name}:${value}`)
    return name === 'X' ? `unknown flag '${name}'` : undefined
  }
  t.equal(readFlags('[L,R=301, E=a=b,X,NC]', read), "unknown flag 'X'")
  t.strictSame(seen, ['L:', 'R:301', 'E:a=b', 'X:'])
  t.equal(readFlags('L', read), 'bad flag delimiters')
  t.equal(readFlags('[', read), 'bad flag delimiters')
  t.end()
})

t.test('references are escaped as the flags say', (t) => {
  const text = 'aZ_0 /?\x01\x7f\xfc'
  t.equal(escapeReference(text, { escaped: 'all', kept: NOTHING, blank: '+' }), 'aZ_0+%2f%3f%01%7f%fc')
  t.equal(escapeReference(text, { escaped: 'all', kept: new Set('/?'), blank: '%20' }), 'aZ_0%20/?%01%7f%fc')
  t.equal(escapeReference(text, { escaped: { listed: NOTHING, controls: true }, kept: NOTHING, blank: '+' }), 'aZ_0+/?%01%7f\xfc')
  t.equal(
    escapeReference(text, { escaped: { listed: new Set('?a'), controls: false }, kept: NOTHING, blank: '+' }),
    'aZ_0 /%3f\x01\x7f\xfc',
  )
  t.equal(
    escapeReference(text, { escaped: { listed: new Set('/'), controls: true }, kept: NOTHING, blank: '+' }),
    'aZ_0+%2f?%01%7f\xfc',
  )
  t.end()
})

t.test('cookies have the given fields', (t) => {
  const now = Date.UTC(2026, 10, 21, 15, 0, 0)
  const table: readonly (readonly [text: string, field: string | undefined])[] = [
    ['n:v:.lab.test', 'n=v; path=/; domain=.lab.test'],
    [
      'n:v:d:10:/p:secure:httponly:Strict',
      'n=v; path=/p; domain=d; expires=Sat, 21-Nov-2026 15:10:00 GMT; secure; HttpOnly; SameSite=Strict',
    ],
    ['n:v:d:-5', 'n=v; path=/; domain=d; expires=Sat, 21-Nov-2026 14:55:00 GMT'],
    ['n:v:d:0:/:no:no:false', 'n=v; path=/; domain=d'],
    [';n;a:b;d', 'n=a:b; path=/; domain=d'],
    ['n:v::d', 'n=v; path=/; domain=d'],
    ['n:v', undefined],
    ['', undefined],
  ]
  for (const [text, field] of table) t.equal(cookieOf(text, now)?.field, field, text)
  t.end()
})

t.test('URLs are recognized by their scheme, and escaped after their host', (t) => {
  const escaped = (url: string): string | null => {
    const scheme = schemeOf(url)
    return scheme === null ? null : escapeAbsoluteUrl(url, scheme)
  }
  t.equal(escaped('http://h/a b%'), 'http://h/a%20b%25')
  t.equal(escaped('HTTPS://h'), 'HTTPS://h')
  t.equal(escaped('mailto:a b'), 'mailto:a%20b')
  t.equal(escaped('ldap://h/a?b c'), 'ldap://h/a?b%20c')
  t.equal(escaped('ftp://h/a?b'), 'ftp://h/a%3fb')
  t.equal(escaped('/http://h/'), null)
  t.equal(escaped('javascript:x'), null)
  t.strictSame(authorityOf('http://h:81/a', 'http'), { host: 'h', port: 81, path: '/a' })
  t.strictSame(authorityOf('HTTP://h', 'http'), { host: 'h', port: null, path: '/' })
  t.equal(authorityOf('https://h/', 'http'), null)
  t.end()
})
