// Directives that redirect a request.
import { section } from '../../oracle/tree.mjs'
import { condition, FILES, FOLDERS, SET_VARIABLES, URL_PATTERNS } from './words.mjs'

const INDEXES = [
  'index.html',
  'a.txt',
  'nosuch index.html',
  '/secret.txt',
  '/priv/secret.txt',
  'sub/deep.txt',
  'disabled',
  'x.txt /a.txt',
  '/go',
  '/neg/doc.var',
  'nosuch /priv/',
  'x',
  '../secret.txt',
  'ln.txt',
]
const RESOURCES = ['/secret.txt', '/index.html', '/priv/index.html', '/a.txt', 'disabled', '/go', '/neg/doc.var', '/nope']
const PAGES = [
  '/err/403.html',
  '/err/404.html',
  '/secret.txt',
  '/priv/secret.txt',
  '/go',
  '/nope',
  '"Not you"',
  'default',
  '/a.txt',
  '/neg/doc.var',
  '/priv/',
  'http://else.test/x',
]
const CODES = ['403', '404', '401', '500', '405', '416', '406', '400', '410']

/** Directives for folders that determine the response. */
export function contents(rng) {
  return rng.weighted([
    [3, () => [`DirectoryIndex ${rng.pick(INDEXES)}`]],
    [2, () => [`FallbackResource ${rng.pick(RESOURCES)}`]],
    [5, () => [`ErrorDocument ${rng.pick(CODES)} ${rng.pick(PAGES)}`]],
    [
      2,
      () => [
        `Options ${rng.pick(['None', 'Indexes', 'FollowSymLinks', 'SymLinksIfOwnerMatch', '+Indexes', '-Indexes', 'All', 'MultiViews', 'All MultiViews', '+MultiViews', '-FollowSymLinks', 'Indexes SymLinksIfOwnerMatch', '+SymLinksIfOwnerMatch', 'Indexes FollowSymLinks MultiViews'])}`,
      ],
    ],
    [1, () => [`DirectorySlash ${rng.pick(['On', 'Off'])}`]],
    [0.6, () => ['DirectoryCheckHandler On']],
    [0.5, () => [`DirectoryIndexRedirect ${rng.pick(['on', 'off', 'temp', 'permanent', '303'])}`]],
    [1, () => [rng.pick(['AddHandler type-map .var', 'AddHandler type-map var .txt', 'RemoveHandler .var'])]],
    [
      0.8,
      () => [
        rng.pick([
          'ForceType text/plain',
          'ForceType text/x-y',
          'SetHandler default-handler',
          'SetHandler none',
          'SetHandler type-map',
          'DefaultType none',
          'ForceType none',
        ]),
      ],
    ],
    [
      0.8,
      () => [
        rng.pick([
          'LanguagePriority fr en',
          'ForceLanguagePriority None',
          'ForceLanguagePriority Prefer Fallback',
          'DefaultLanguage en',
          'AddCharset utf-8 .html',
          'AddDefaultCharset On',
        ]),
      ],
    ],
    [
      0.8,
      () => [
        rng.pick([
          'IndexOptions FancyIndexing',
          'IndexIgnore *.html',
          'IndexOptions +HTMLTable FancyIndexing',
          'HeaderName /err/403.html',
          'ReadmeName a.txt',
          'ReadmeName /secret.txt',
          'IndexOptions ShowForbidden',
          'IndexOptions FancyIndexing SuppressDescription VersionSort',
        ]),
      ],
    ],
    [0.8, () => [`AcceptPathInfo ${rng.pick(['On', 'Off', 'Default'])}`]],
    [0.5, () => [`FileETag ${rng.pick(['None', 'MTime Size', 'Size'])}`]],
    [0.4, () => [`LimitRequestBody ${rng.pick(['1', '0', '5'])}`]],
    [1, () => [fields(rng)]],
  ])()
}

function fields(rng) {
  return rng.pick([
    'Header always set X-U "%{bad}e|%{good}e|%{flag}e|%{seen}e"',
    'Header set X-R "expr=%{REQUEST_URI}|%{QUERY_STRING}|%{REQUEST_STATUS}"',
    'Header always set X-F "expr=%{REQUEST_FILENAME}|%{PATH_INFO}"',
    'Header always set X-S "expr=%{SERVER_NAME}|%{SERVER_PORT}|%{REMOTE_ADDR}|%{REMOTE_USER}"',
    'Header set X-H always env=good',
    'Header unset ETag',
    'RequestHeader set X-Flag off env=bad',
    'RequestHeader unset Authorization',
    'RequestHeader set X-Flag on "expr=%{REQUEST_URI} =~ m#^/priv#"',
  ])
}

/** Variables that depend on the request. */
export function variables(rng) {
  return [rng.pick(SET_VARIABLES)]
}

/** Aliases, redirects and user folders, for a server or host. */
export function aliases(rng) {
  return rng.weighted([
    [
      2,
      () => [
        `Alias ${rng.pick(['/al "@R@/alt"', '/al/ "@R@/alt/"', '/al "@R@/priv"', '/am "@B@/sites/@H@/out"', '/go "@R@/secret.txt"', '/priv "@R@/alt"', '/al/x "@R@/dir"', '/ "@R@/"', '/a.txt "@R@/b.txt"'])}`,
      ],
    ],
    [
      2,
      () => [
        `AliasMatch ${rng.pick(['"^/am/(.*)" "@R@/$1"', '"^/secret" "@R@/a.txt"', '"^/al/?([^/]*)$" "@R@/priv/$1"', '"(?i)^/A(.*)" "@R@/a$1"', '"^/go\\d" "@R@/alt/x.txt"', '"/([^/]+)\\.bak$" "@R@/$1"'])}`,
      ],
    ],
    [
      1.5,
      () => [
        `Redirect ${rng.pick(['/old http://else.test/new', '301 /old /new', 'gone /go2', 'temp /secret.txt /a.txt', '403 /priv', 'seeother /al /alt', 'permanent /dir/sub http://@H@.test/x'])}`,
      ],
    ],
    [
      1.5,
      () => [
        `RedirectMatch ${rng.pick(['"^/old/(.*)" "/alt/$1"', '403 "^/secret"', '404 "/\\."', '301 "^/go2(.*)" "http://else.test$1"', 'gone "^//"', '"\\.bak$" "/a.txt"'])}`,
      ],
    ],
    [1, () => [`UserDir ${rng.pick(['@R@/users', 'disabled', '@R@/users/*', 'http://else.test/users'])}`]],
  ])()
}

/** Settings of a server or host that change how URLs are read and names made. */
export function urlSettings(rng) {
  return rng.weighted([
    [3, () => [`MergeSlashes ${rng.pick(['Off', 'Off', 'On'])}`]],
    [2, () => [`AllowEncodedSlashes ${rng.pick(['On', 'Off', 'NoDecode'])}`]],
    [1.5, () => [`UseCanonicalName ${rng.pick(['On', 'Off'])}`]],
    [0.5, () => ['UseCanonicalPhysicalPort On']],
    [0.7, () => [`TraceEnable ${rng.pick(['On', 'Off', 'extended'])}`]],
    [0.6, () => ['HttpProtocolOptions Unsafe']],
    [
      1.5,
      () => [
        'RemoteIPHeader X-Forwarded-For',
        ...(rng.chance(0.7) ? [`RemoteIP${rng.pick(['Internal', 'Trusted'])}Proxy 127.0.0.0/8`] : []),
      ],
    ],
    [0.7, () => [`AccessFileName ${rng.pick(['.htaccess', '.nosuch .htaccess', '.other'])}`]],
    [1, () => [`RequestHeader set X-Flag ${rng.pick(['on early', '"expr=%{REQUEST_URI}" early', 'off'])}`]],
    [0.5, () => ['AddHandler type-map .var']],
  ])()
}

/**
 * A section around what `fill` makes for it. `nested`: the section is in another section or in .htaccess; `byUrl`: it is
 * in `<Location>`, which cannot contain `<Files>`.
 */
export function around(rng, fill, { nested, byUrl = false }) {
  const body = fill(byUrl)
  return rng.weighted([
    [
      byUrl ? 0 : 3,
      () =>
        section(
          'Files',
          `"${rng.pick(['*', 'secret.txt', '*.txt', 'a.txt', 'index.html', 'x*', '?.txt', 'doc.var', '.ht*', 'priv'])}"`,
          body,
        ),
    ],
    [
      byUrl ? 0 : 1,
      () => section('FilesMatch', `"${rng.pick(['\\.txt$', '^secret', '^(a|b)\\.', '.', 'html', '^x\\.'])}"`, body),
    ],
    [3, () => section('If', quoted(condition(rng)), body)],
    [nested ? 0 : 3, () => section('Location', `"${location(rng)}"`, fill(true))],
    [nested ? 0 : 2, () => section('LocationMatch', `"${rng.pick(URL_PATTERNS)}"`, fill(true))],
    [nested ? 0 : 5, () => section('Directory', `"${folder(rng)}"`, body)],
    [
      nested ? 0 : 1,
      () =>
        section(
          'DirectoryMatch',
          `"${rng.pick(['/(priv|alt)', '/[bdp][^/]*$', '^@R@/', '/dir/sub/?$', '/docs$', '/secret.txt$'])}"`,
          body,
        ),
    ],
  ])()
}

function location(rng) {
  return rng.pick([
    '/',
    '/',
    rng.pick(FILES),
    rng.pick(FOLDERS),
    `${rng.pick(FOLDERS)}/`,
    '/go',
    '/nope',
    '/*.txt',
    '/p*',
    '/al',
    '//secret.txt',
    '/?*/secret.txt',
  ])
}

function folder(rng) {
  return rng.pick([
    '@R@',
    '@R@',
    '@R@/',
    `@R@${rng.pick(FOLDERS)}`,
    `@R@${rng.pick(FOLDERS)}/`,
    `@R@${rng.pick(FILES)}`,
    `@R@${rng.pick(['/ln.txt', '/lpriv', '/lout', '/into', '/lsec.txt', '/lout.txt'])}`,
    '@R@/*',
    '@R@/[bdp]*',
    '@R@/*/*',
    '@R@/a.txt/',
    '@B@/sites/@H@/out',
    '@B@/sites/@H@',
    '@B@/sites/*/docs/alt',
  ])
}

/** Expressions may contain either kind of quotes, one of which must be unused. */
export function quoted(text) {
  return `"${text.replaceAll('"', '\\"')}"`
}
