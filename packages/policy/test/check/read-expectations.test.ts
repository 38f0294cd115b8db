import fc from 'fast-check'
import t from 'tap'
import { type Expectation, expectationText, readExpectations } from '../../src/index.ts'

t.test('a line specifies the client, the request and the expected answer', async (t) => {
  t.matchOnlyStrict(one('GET /config.php -> 403'), {
    place: { file: 'f', line: 1 },
    request: {
      method: 'GET',
      target: '/config.php',
      host: 'localhost',
      port: null,
      isPortWritten: false,
      client: '192.0.2.1',
      credentials: null,
      headers: [],
    },
    statuses: ['403'],
    location: null,
  })
  t.match(one('/x -> 200|304'), { request: { method: 'GET', target: '/x' }, statuses: ['200', '304'] })
  t.match(one('POST /admin/ from 10.1.2.3 as alice -> 4XX'), {
    request: { method: 'POST', client: '10.1.2.3', credentials: { user: 'alice', password: null } },
    statuses: ['4xx'],
  })
  t.match(one('/ as "a b" password "x \\"y\\" #" -> 401'), { request: { credentials: { user: 'a b', password: 'x "y" #' } } })
  t.match(one('/ host www.example.org:8080 header "X-A: b c" header "X-B:" -> 301 /new # moved'), {
    request: {
      host: 'www.example.org:8080',
      port: 8080,
      headers: [
        ['X-A', 'b c'],
        ['X-B', ''],
      ],
    },
    location: '/new',
  })
  t.match(one('https://example.org/a?b=1 -> 302 https://other.example/'), {
    request: { host: 'example.org', port: 443, target: '/a?b=1' },
    location: 'https://other.example/',
  })
  t.match(one('/ https -> 200'), { request: { host: 'localhost', port: 443 } })
  t.match(one('OPTIONS * -> 200'), { request: { method: 'OPTIONS', target: '*' } })
})

t.test('comments and blank lines are ignored, and lines keep their numbers', async (t) => {
  const { expectations, mistakes } = readExpectations('f', '# a\r\n\r\n  # b -> 200\n/x -> 200 # c\n')
  t.equal(mistakes.length, 0)
  t.strictSame(
    expectations.map(({ place }) => place.line),
    [4],
  )
})

t.test('an invalid expectation is reported with its line, the error, and a solution', async (t) => {
  const wrong: Readonly<Record<string, RegExp>> = {
    'GET /x': /no -> /,
    '/x ->': /nothing follows ->/,
    '-> 200': /no path to request/,
    'config.php -> 200': /config\.php is not a URL/,
    'GET -> 200': /no path to request/,
    '/x -> 600': /'600' is not a status/,
    '/x -> 200|': /'' is not a status/,
    '/x -> 301 new': /'new' is not a Location/,
    '/x -> 200 /y /z': /'\/z' follows the answer/,
    '/x from home -> 200': /'home' is not an IP address/,
    '/x from -> 200': /'' is not an IP address/,
    '/x as -> 200': /no user name/,
    '/x password y -> 200': /a password requires a user/,
    '/x host a_/b -> 200': /is not a host/,
    '/x header X -> 200': /'X' is not a header field/,
    '/x constructor -> 200': /'constructor' is not understood/,
    '/x as "alice -> 200': /quotation mark/,
  }
  for (const [line, message] of Object.entries(wrong)) {
    const { expectations, mistakes } = readExpectations('site/.htexpect', `/ok -> 200\n${line}\n`)
    t.equal(expectations.length, 1, line)
    t.match(mistakes, [{ place: { file: 'site/.htexpect', line: 2 }, message, hint: /\w/ }], line)
  }
})

t.test('whatever is printed reads back as the same', async () => {
  fc.assert(
    fc.property(EXPECTATION, (expectation) => {
      const { expectations, mistakes } = readExpectations('f', expectationText(expectation))
      return mistakes.length === 0 && JSON.stringify(expectations) === JSON.stringify([{ place: PLACE, ...expectation }])
    }),
    { seed: 20, numRuns: 500 },
  )
})

t.test('no text makes the reader throw or forget a line', async () => {
  const piece = fc.constantFrom(
    'GET ',
    '/x',
    ' -> ',
    '200',
    '|',
    '"',
    '\\',
    '#',
    ' from ',
    '::1',
    ' as ',
    ' ',
    '\t',
    '\0',
    'header',
  )
  fc.assert(
    fc.property(fc.array(fc.array(piece).map((pieces) => pieces.join(''))), (lines) => {
      const { expectations, mistakes } = readExpectations('f', lines.join('\n'))
      const told = new Set([...expectations, ...mistakes].map(({ place }) => place.line))
      return lines.every((line, index) => told.has(index + 1) || /^[ \t]*(?:#|$)/.test(line))
    }),
    { seed: 21, numRuns: 500 },
  )
})

const PLACE = { file: 'f', line: 1 }

const WORD = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'B', '7', ' ', '"', '\\', '#', '-', '>', '\t', 'é', "'") })

const EXPECTATION: fc.Arbitrary<Omit<Expectation, 'place'>> = fc.record({
  request: fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'VERSION-CONTROL'),
      target: WORD.map((word) => `/${word}`),
      host: fc.constantFrom('localhost', 'www.example.org', '[::1]'),
      port: fc.constantFrom(null, 443),
      client: fc.constantFrom('192.0.2.1', '10.1.2.3', '2001:db8::5'),
      credentials: fc.option(fc.record({ user: WORD, password: fc.option(WORD) })),
      headers: fc.array(
        fc.tuple(
          fc.constantFrom('X-A', 'Accept'),
          WORD.map((word) => word.trim()),
        ),
      ),
    })
    .map(({ method, target, host, port, ...rest }) => ({ method, target, host, port, isPortWritten: port !== null, ...rest })),
  statuses: fc.array(fc.constantFrom('200', '304', '4xx'), { minLength: 1 }),
  location: fc.option(fc.constantFrom('/new', 'https://example.org/a b')),
})

function one(line: string): Expectation | undefined {
  return readExpectations('f', line).expectations[0]
}
