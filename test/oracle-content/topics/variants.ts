import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, someOf, withHtaccess } from '../content-case.ts'

const FILES = [
  'p.html.en',
  'p.html.de',
  'p.html.fr',
  'p.en.html',
  'p.html',
  'p.txt',
  'p.txt.en',
  'p.html.en.gz',
  'p.html.gz',
  'p.html.utf8.de',
  'p.png',
  'p.foo',
  'p/index.html',
  'q.html.en',
  'q.html.de',
] as const

/** MultiViews and type maps with all fields of negotiation. */
export function variants(random: Random, folder: string): ContentCase {
  const lines = [
    'AddLanguage en .en',
    'AddLanguage de .de',
    'AddLanguage fr .fr',
    'AddEncoding gzip .gz',
    'AddType text/plain .txt',
    'AddType image/png .png',
    'AddCharset utf-8 .utf8',
    'AddHandler type-map .var',
    random.percent(85) ? 'Options +MultiViews' : 'Options -MultiViews',
    ...random.several(0, 4, () => rule(random)),
  ]
  const here = placed(random, folder, lines)
  const files: Record<string, string> = {}
  for (const name of someOf(random, FILES, 3, 9)) files[name] = `${name}\n`.repeat(1 + random.below(4))
  if (random.percent(50)) files['m.var'] = map(random, Object.keys(files))
  return {
    server: here.server,
    files: withHtaccess(files, here.htaccess),
    requests: random.several(5, 9, () => ({
      method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
      target: random.pick([
        '/p',
        '/p',
        '/p.html',
        '/q',
        '/p.en',
        '/p.gz',
        '/m.var',
        '/m',
        '/p/x',
        '/p.txt',
        '/p.',
        '/none',
        '/m.var/info',
      ]),
      headers: accepted(random),
    })),
  }
}

function accepted(random: Random): Record<string, string> {
  return Object.fromEntries(
    someOf(
      random,
      [
        [
          'Accept',
          random.pick([
            '*/*',
            'text/html',
            'text/html;q=0.5, text/plain',
            'text/*;q=0.3, image/png;q=0.9',
            'image/*',
            'text/html;level=1',
            '',
            'x/y',
            'text/html;q=0',
            '*/*;q=0.1,text/plain;q=0.100',
          ]),
        ],
        [
          'Accept-Language',
          random.pick(['en', 'de, en;q=0.5', 'fr-CA, fr;q=0.8', 'xx', '*', 'en-US', 'de;q=0, *', 'de;q=1.0,en;q=1.0', '']),
        ],
        ['Accept-Encoding', random.pick(['gzip', 'identity', 'gzip;q=0', '*', 'identity;q=0', 'x-gzip', ''])],
        ['Accept-Charset', random.pick(['utf-8', 'iso-8859-1', '*', 'utf-8;q=0.1', 'koi8-r'])],
        ['Negotiate', random.pick(['*', 'trans', '1.0', 'vlist', 'guess-small'])],
        ['If-None-Match', '*'],
      ] as const,
      0,
      4,
    ),
  )
}

function rule(random: Random): string {
  return random.pick([
    `LanguagePriority ${random.pick(['en de fr', 'de', 'fr en', 'xx'])}`,
    `ForceLanguagePriority ${random.pick(['None', 'Prefer', 'Fallback', 'Prefer Fallback'])}`,
    `MultiviewsMatch ${random.pick(['Any', 'NegotiatedOnly', 'Handlers', 'Filters', 'Handlers Filters'])}`,
    `DefaultLanguage ${random.pick(['en', 'de'])}`,
    'SetEnvIf Accept-Language x prefer-language=de',
    `SetEnv prefer-language ${random.pick(['de', 'fr', 'xx'])}`,
    'AddType "text/html;qs=0.5" .html',
    'AddType "text/plain;qs=0.9" .txt',
    'RemoveLanguage .en',
    'AddHandler send-as-is .foo',
    'SetEnv no-gzip 1',
    'AddDefaultCharset On',
    'Header always set X-V "%{VARIANTS}e"',
  ])
}

function map(random: Random, names: readonly string[]): string {
  const entry = (name: string): string =>
    [
      `URI: ${name}`,
      ...someOf(
        random,
        [
          `Content-Type: ${random.pick(['text/html', 'text/plain; qs=0.7', 'text/html; charset=utf-8; qs=0.3', 'image/png;qs=0.05', '"x"'])}`,
          `Content-Language: ${random.pick(['en', 'de', 'en, de', 'fr'])}`,
          `Content-Encoding: ${random.pick(['gzip', 'x-gzip', 'identity'])}`,
          `Content-Length: ${random.pick(['5', '500', 'x'])}`,
          `Description: "${random.pick(['a', 'a variant'])}"`,
          '# a comment',
          'X-Unknown: y',
        ],
        1,
        4,
      ),
    ].join('\n')
  return `${someOf(random, names.length > 0 ? names : ['x'], 1, 5)
    .map(entry)
    .join('\n\n')}${random.pick(['\n', '\n\n', ''])}`
}
