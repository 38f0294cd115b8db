// Rules of mod_rewrite. `place` is 'server' (server, host) or 'folder' (every section, and .htaccess).

const FOLDER_PATTERNS = [
  '^go$',
  '^go',
  '^public/(.*)',
  '^x$',
  '^(.*)\\.bak$',
  '^secret',
  '^$',
  '.',
  '^(.*)$',
  '^nope$',
  'txt$',
  '^a\\.txt$',
  '^.*/go$',
  '^b\\.txt$',
  '^sub/(.*)',
  '/',
]
const SERVER_PATTERNS = [
  '^/go$',
  '^/go',
  '^/public/(.*)',
  '^/b\\.txt',
  '^/secret',
  '^/priv/',
  '^/nope',
  '^/$',
  '^//',
  '^/alt/(.*)',
  '^/old',
  '^/~',
  '^/dir(.*)',
  '.',
  '^/neg/x$',
  '(.*)\\.bak$',
]
const FOLDER_TARGETS = [
  '/secret.txt',
  'a.txt',
  '/priv/secret.txt',
  'sub/$1',
  '/alt/$1',
  '-',
  '/index.html',
  '/nope',
  '/dir/',
  '/go1',
  'secret.txt',
  '/neg/doc.var',
  '/neg/x',
  '../secret.txt',
  '/al/x.txt',
  '/ln.txt',
  '%{REQUEST_URI}',
  '/a.txt?x=1',
  '//a.txt',
  'http://else.test/',
  '@R@/a.txt',
  'http://@H@.test:@P@/a.txt',
]
const SERVER_TARGETS = [
  '/secret.txt',
  '/a.txt',
  '/priv/secret.txt',
  '/alt/$1',
  '-',
  '/index.html',
  '/go1',
  '/dir/sub/',
  '/neg/doc.var',
  '/al/x.txt',
  '@R@/secret.txt',
  '@R@/alt/x.txt',
  '/ln.txt',
  '//b.txt',
  '/a.txt?x=1',
  'http://else.test/',
  '/%{HTTP:X-Flag}',
  '/priv',
  '%{REQUEST_URI}',
  'http://@H@.test:@P@/a.txt',
  'a.txt',
]
const FLAGS = [
  'L',
  'L',
  'PT',
  'PT',
  'END',
  'R',
  'R=301',
  'F',
  'G',
  'NC',
  'QSA',
  'S=1',
  'C',
  'N=2',
  'E=good:1',
  'E=bad:1',
  'E=flag:$1',
  'NS',
  'NE',
  'B',
  'DPI',
  'H=default-handler',
  'T=text/plain',
  'R=404',
  'R=403',
  'QSD',
  'CO=a:b:d.test',
  'R=200',
]
const TESTS = [
  ['%{REQUEST_URI}', '^/secret'],
  ['%{REQUEST_URI}', '!^/priv'],
  ['%{REQUEST_URI}', '^/(go|public|nope)'],
  ['%{REQUEST_FILENAME}', '-f'],
  ['%{REQUEST_FILENAME}', '!-f'],
  ['%{REQUEST_FILENAME}', '!-d'],
  ['%{REQUEST_FILENAME}', '-F'],
  ['%{REQUEST_URI}', '-U'],
  ['%{REQUEST_FILENAME}', '-l'],
  ['/priv/secret.txt', '-U'],
  ['/a.txt', '-U'],
  ['@R@/priv/secret.txt', '-F'],
  ['%{LA-U:REMOTE_USER}', '.'],
  ['%{LA-U:REQUEST_FILENAME}', 'secret'],
  ['%{LA-F:REQUEST_URI}', '^/'],
  ['%{REMOTE_USER}', 'alice'],
  ['%{ENV:bad}', '.'],
  ['%{ENV:good}', '^$'],
  ['%{ENV:REDIRECT_STATUS}', '^$'],
  ['%{REQUEST_METHOD}', 'POST|PUT'],
  ['%{QUERY_STRING}', 'x'],
  ['%{HTTP:X-Flag}', 'on'],
  ['%{HTTP_HOST}', '^@H@'],
  ['%{IS_SUBREQ}', 'true'],
  ['%{THE_REQUEST}', '//'],
  ['expr', '%{REQUEST_URI} =~ m#^/alt#'],
]

/** Lines for one place. */
export function rewriting(rng, place) {
  const lines = rng.chance(0.85) ? [`RewriteEngine ${rng.chance(0.93) ? 'On' : 'Off'}`] : []
  if (place === 'folder' && rng.chance(0.15)) lines.push(`RewriteBase ${rng.pick(['/', '/alt/', '/dir', '/nosuch/'])}`)
  if (rng.chance(0.15))
    lines.push(
      `RewriteOptions ${rng.pick(['Inherit', 'InheritBefore', ...(place === 'server' ? ['InheritDown', 'AllowAnyURI', 'InheritDownBefore'] : ['AllowNoSlash', 'MergeBase', 'IgnoreInherit'])])}`,
    )
  const rules = rng.weighted([
    [1, 0],
    [5, 1],
    [3, 2],
    [1, 3],
  ])
  for (let index = 0; index < rules; index++) lines.push(...rule(rng, place))
  return lines.length > 0 ? lines : ['RewriteEngine On']
}

function rule(rng, place) {
  const conditions = rng.chance(0.35) ? Array.from({ length: 1 + rng.below(2) }, () => test(rng)) : []
  const flags = rng.weighted([
    [3, 0],
    [5, 1],
    [2, 2],
  ])
  const chosen = [...new Set(Array.from({ length: flags }, () => rng.pick(FLAGS)))]
  const [patterns, targets] = place === 'server' ? [SERVER_PATTERNS, SERVER_TARGETS] : [FOLDER_PATTERNS, FOLDER_TARGETS]
  const target = chosen.includes('F') || chosen.includes('G') ? '-' : rng.pick(targets)
  const negated = rng.chance(0.03) ? '!' : ''
  return [
    ...conditions,
    `RewriteRule "${negated}${rng.pick(patterns)}" "${target}"${chosen.length > 0 ? ` [${chosen.join(',')}]` : ''}`,
  ]
}

function test(rng) {
  const [text, pattern] = rng.pick(TESTS)
  const flags = rng.chance(0.2) ? ` [${rng.pick(['OR', 'NC', 'NC,OR'])}]` : ''
  if (text === 'expr') return `RewriteCond expr "${pattern}"${flags.replace('NC,', '').replace(/ \[NC\]/, '')}`
  return `RewriteCond "${text}" "${pattern}"${flags}`
}
