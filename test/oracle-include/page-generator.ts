import type { Random } from '../fixtures/random.ts'

/** A page of random text and elements, most of them well formed. */
export function randomPage(random: Random): string {
  return random.several(1, 6, () => part(random, 0)).join('')
}

function part(random: Random, depth: number): string {
  if (random.percent(25)) return random.pick(['text ', '\n', '<!-- a -->', '-->', '<!--', '<!-', '"\'', '$A', '\\'])
  if (depth < 3 && random.percent(30)) return condition(random, depth)
  return element(random)
}

function condition(random: Random, depth: number): string {
  const inner = (): string => random.several(0, 2, () => part(random, depth + 1)).join('')
  const elif = random.percent(30) ? `${tag(random, 'elif', [['expr', expression(random)]])}${inner()}` : ''
  const otherwise = random.percent(50) ? `${tag(random, 'else', [])}${inner()}` : ''
  const end = random.percent(95) ? tag(random, 'endif', []) : ''
  return `${tag(random, 'if', [['expr', expression(random)]])}${inner()}${elif}${otherwise}${end}`
}

const ELEMENTS: readonly string[] = [
  'echo',
  'echo',
  'echo',
  'set',
  'set',
  'config',
  'include',
  'include',
  'fsize',
  'flastmod',
  'nosuch',
]

function element(random: Random): string {
  const name = random.pick(ELEMENTS)
  return tag(random, name, random.percent(5) ? [] : ATTRIBUTES[name](random))
}

type Attributes = [name: string, value: string][]

const ATTRIBUTES: Readonly<Record<string, (random: Random) => Attributes>> = {
  echo: (random) => [...codings(random), ['var', random.percent(15) ? value(random) : variable(random)], ...codings(random)],
  set: (random) => [...codings(random), ['var', variable(random)], ...codings(random), ['value', value(random)]],
  config: (random) => [
    random.pick<[string, string]>([
      ['errmsg', value(random)],
      ['echomsg', value(random)],
      ['sizefmt', random.pick(['bytes', 'abbrev', 'kilo', '$A'])],
      ['timefmt', random.pick(['%Y', '%H:%M', '', '%d %Z'])],
      ['nosuch', 'x'],
    ]),
  ],
  include: (random) => random.several(1, 2, () => [random.pick(['file', 'virtual', 'virtual', 'onerror']), target(random)]),
  fsize: (random) => [[random.pick(['file', 'virtual']), target(random)]],
  flastmod: (random) => [[random.pick(['file', 'virtual', 'name']), target(random)]],
  nosuch: () => [['a', 'b']],
}

function codings(random: Random): Attributes {
  if (random.percent(70)) return []
  return [
    [
      random.pick(['encoding', 'decoding']),
      random.pick(['none', 'url', 'urlencoded', 'entity', 'base64', 'rot13', 'url,base64', 'entity, url', 'URL']),
    ],
  ]
}

function target(random: Random): string {
  return random.pick([
    'part.txt',
    '/part.txt',
    'sub/inner.shtml',
    '/sub/inner.shtml?q=1',
    '/sub/sets.shtml',
    'none',
    '/sub/',
    '/sub',
    '../part.txt',
    '/closed/x.txt',
    'sub/../part.txt',
    '/p%61rt.txt',
    '$F',
    '/sub/shows.shtml?a=1&amp;b=2',
  ])
}

function variable(random: Random): string {
  return random.pick([
    'A',
    'B',
    'a',
    'F',
    'NONE',
    'DOCUMENT_NAME',
    'DOCUMENT_URI',
    'QUERY_STRING',
    'QUERY_STRING_UNESCAPED',
    '0',
    '1',
  ])
}

function value(random: Random): string {
  return random
    .several(0, 3, () =>
      random.pick([
        'x',
        'a b',
        '$A',
        '${B}',
        '$NONE',
        '\\$A',
        '${A',
        '$',
        '\\\\',
        '<&>',
        '&lt;&amp;',
        '%41%zz',
        '+',
        'YWI=',
        '$0',
        '$1',
        '\xe9',
        'part.txt',
        '${}',
      ]),
    )
    .join('')
}

/** An expression for both parsers. */
function expression(random: Random): string {
  if (random.percent(50)) {
    return random.pick([
      "v('A') = 'x'",
      "v('A') =~ /(x)(.)/",
      "v('B') = v('A')",
      'true',
      'false',
      "-n v('F')",
      "-A '/part.txt'",
      "-A '/closed/x.txt'",
      "-e '/'",
      "v('A'",
      "%{REQUEST_METHOD} = 'GET'",
      "! v('A') = 'x'",
      "v('A') = 'x' && v('B') = 'y' || true",
    ])
  }
  return legacy(random)
}

function legacy(random: Random): string {
  const operand = (): string =>
    random.pick(['$A', '$B', 'x', "'a b'", '$NONE', "''", 'y', '$A$B', '\\$A', 'a\\.b', '/x.*/', '/(x)/', '/(/', '$0'])
  const compare = (): string => `${operand()} ${random.pick(['=', '!=', '==', '<', '>=', '<=', '>'])} ${operand()}`
  const term = (): string =>
    random.pick([
      operand,
      compare,
      compare,
      () => `!${operand()}`,
      () => `(${compare()})`,
      () => `! (${compare()})`,
      () => '-A /part.txt',
      () => '-A /closed/x.txt',
    ])()
  const joined = random.several(1, 4, term).join(random.pick([' && ', ' || ', ' && ', '||', ' ']))
  return random.percent(10) ? joined.slice(0, -1) : joined
}

function tag(random: Random, name: string, attributes: Attributes): string {
  const written = attributes.map(([attribute, text]) => {
    const quote = random.percent(85) ? '"' : random.pick(["'", '`', ''])
    const escaped = quote === '' ? text.replaceAll(' ', '') : text.replaceAll(quote, `\\${quote}`)
    const equals = random.percent(90) ? '=' : random.pick([' = ', ' =', '= '])
    return ` ${random.percent(90) ? attribute : attribute.toUpperCase()}${equals}${quote}${escaped}${quote}`
  })
  const text = `<!--#${random.percent(95) ? name : name.toUpperCase()}${written.join('')}${random.percent(80) ? ' ' : ''}-->`
  return random.percent(2) ? text.slice(0, random.below(text.length)) : text
}
