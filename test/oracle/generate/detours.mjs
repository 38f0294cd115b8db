// What leads a request to another file of the policy, and rules that look at where it leads or at how the URL is written.
import { section } from '../tree.mjs'

const CONDITIONS = [
  '%{REQUEST_URI} !~ m#^/@P@/a/f#',
  '%{REQUEST_URI} =~ m#^/@P@/(go|away)#',
  '%{REQUEST_URI} !~ m#^/@P@/a/b/#',
  "%{REQUEST_URI} == '/@P@/'",
  '%{REQUEST_URI} !~ m#one\\.html$#',
  "-z reqenv('@P@-inner')",
]
const WAYS = [
  ['RewriteEngine On', 'RewriteRule "^(.*/)?go$" "/@P@/a/f.txt"'],
  ['RewriteEngine On', 'RewriteRule "^(.*/)?away$" "/@P@/a/b/one.html" [L]'],
  ['RewriteEngine On', 'RewriteRule "^(.*/)?go$" "/@P@/one.html" [END]'],
  ['FallbackResource /@P@/a/f.txt'],
  ['DirectoryIndex /@P@/a/f.txt'],
  ['DirectoryIndex nosuch /@P@/a/b/one.html'],
  ['ErrorDocument 403 /@P@/a/f.txt'],
  ['ErrorDocument 401 /@P@/a/b/f.txt'],
  ['ErrorDocument 404 /@P@/a/f.txt'],
]
const SECTIONS_OF_URLS = [
  (body) => section('Location', '"/@P@"', body),
  (body) => section('Location', '"/@P@/f.txt"', body),
  (body) => section('LocationMatch', '"^/@P@/[fg]"', body),
  (body) => section('Location', '"/@P@/a"', body),
]
const PATTERNS_OF_URLS = ['^/@P@/f', '^/@P@/a/', '^/@P@/one\\.html$', '^/@P@/(a/)?[fg]']
/** Folders and files, for a section that names what it is about. */
const NAMED = ['/f.txt', '/one.html', '/[fo]*', '/a/f.txt', '/a/[fo]*', '/f.txt/']
const OPTIONS = ['None', 'Indexes', 'SymLinksIfOwnerMatch', 'FollowSymLinks', '-FollowSymLinks', 'Indexes SymLinksIfOwnerMatch']

/** Adds one kind of these to a policy. */
export function addDetour(rng, policy) {
  rng.weighted([
    [5, detour],
    [3, writtenOtherwise],
    [2, switchedOnForUrls],
    [3, namedFile],
  ])(rng, policy)
}

/** The paths below a policy's folder that detours begin at. */
export const DETOUR_PATHS = ['/go', '/away', '/a/go', '/']

/** A rule that depends on the URL, and something that leads to a URL that it refuses. */
function detour(rng, policy) {
  const rule = rng.weighted([
    [5, () => [`Require expr "${rng.pick(CONDITIONS)}"`]],
    [2, () => ['Order allow,deny', 'Allow from all', 'Deny from env=@P@-inner']],
    [1, () => [section('RequireAll', '', ['Require all granted', 'Require not env @P@-inner'])]],
    [1, () => [section('If', `"!(${rng.pick(CONDITIONS)})"`, ['Require all denied'])]],
    [1, () => ['Require all denied']],
  ])()
  policy.prelude.push(`SetEnvIf Request_URI "^/@P@/a/(b/)?[fo]" @P@-inner`)
  const around = rng.pick([
    (body) => section('Location', '"/@P@"', body),
    (body) => section('LocationMatch', '"^/@P@/"', body),
    (body) => section('Directory', '"@DOCROOT@/@P@"', body),
    (body) => section('Directory', '"@DOCROOT@/@P@"', [section('Files', '"*"', body)]),
  ])
  policy.main.push(around(rule))
  const way = rng.pick(WAYS)
  if (rng.chance(0.6)) policy.htaccess['@P@'] = [...(policy.htaccess['@P@'] ?? []), ...way]
  else policy.main.push(section('Directory', '"@DOCROOT@/@P@"', way))
}

/** Rules on the URL as it is sent, which more slashes in front must not pass; half of them where slashes are not merged. */
function writtenOtherwise(rng, policy) {
  const pattern = rng.pick(PATTERNS_OF_URLS)
  if (rng.chance(0.6)) {
    policy.virtualHost = true
    policy.main.unshift('MergeSlashes Off')
  }
  rng.pick([
    () => {
      policy.main.unshift(`SetEnvIf Request_URI "${pattern}" @P@-seen`)
      policy.main.push(section('Location', '"/"', ['Order allow,deny', 'Allow from all', 'Deny from env=@P@-seen']))
      if (!policy.virtualHost) policy.main.at(-1).argument = '"/@P@"'
    },
    () => policy.main.push(section('LocationMatch', `"${pattern}"`, ['Require all denied'])),
    () => policy.main.push(`RedirectMatch 403 "${pattern}"`),
    () =>
      policy.main.push(
        section('Directory', '"@DOCROOT@/@P@"', [section('If', `"%{REQUEST_URI} =~ m#${pattern}#"`, ['Require all denied'])]),
      ),
  ])()
}

/** Rules of the server or host, which sections by URL and `<If>` switch on and off. */
function switchedOnForUrls(rng, policy) {
  const rule = rng.pick(['- [F]', '- [G]', '/@P@/a/f.txt', 'http://else.example/ [R]'])
  if (rng.chance(0.3)) {
    policy.virtualHost = true
    if (rng.chance(0.5)) policy.main.push(`RewriteEngine ${rng.pick(['On', 'Off'])}`)
  }
  policy.main.push(`RewriteRule "${rng.pick(PATTERNS_OF_URLS)}" ${rule}`)
  const around = policy.virtualHost && rng.chance(0.3) ? (body) => section('If', '"true"', body) : rng.pick(SECTIONS_OF_URLS)
  policy.main.push(around([`RewriteEngine ${rng.chance(0.85) ? 'On' : 'Off'}`]))
}

/** A section for a folder that names, or fits, a file, where links are followed or not. */
function namedFile(rng, policy) {
  const granted = rng.chance(0.5)
  const [outer, inner] = granted ? ['denied', 'granted'] : ['granted', 'denied']
  policy.main.push(
    section('Directory', '"@DOCROOT@/@P@"', [`Require all ${outer}`, `Options ${rng.pick(OPTIONS)}`]),
    section('Directory', `"@DOCROOT@/@P@${rng.pick(NAMED)}"`, [`Require all ${inner}`]),
  )
}
