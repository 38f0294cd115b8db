import t from 'tap'
import { parseIf } from '../src/if-header.ts'

const TOKEN = 'opaquelocktoken:00000000-0000-0000-0000-000000000001'

t.test('lists, tags of resources, Not and entity tags are read', (t) => {
  t.strictSame(parseIf(`(<${TOKEN}> ["x"]) (Not <DAV:no-lock>)`), [
    {
      path: null,
      conditions: [
        { kind: 'token', value: TOKEN, negated: false },
        { kind: 'etag', value: '"x"', negated: false },
      ],
    },
    { path: null, conditions: [{ kind: 'token', value: 'DAV:no-lock', negated: true }] },
  ])
  t.strictSame(
    parseIf(`<http://host:81/a%20b/> (<${TOKEN}>) </c> ([W/"y"])`).map(({ path }) => path),
    ['/a b', '/c'],
  )
  t.end()
})

t.test('a field that is none is refused with the words of httpd', (t) => {
  t.throws(() => parseIf('junk'), { message: `Invalid "If:" header: Unexpected character encountered (0x6a, 'j').` })
  t.throws(() => parseIf('(<opaquelocktoken:wrong>)'), { message: /incorrect format/ })
  for (const field of ['(', '(<x', '<x', '(Not Not <x>)', '<mailto:x> (<y>)'])
    t.throws(() => parseIf(field), { name: 'DavError' }, field)
  t.end()
})
