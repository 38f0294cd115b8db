import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, someOf, withHtaccess } from '../content-case.ts'

/** Error documents, indexes, fallbacks and limits of redirects, which lead to each other. */
export function answers(random: Random, folder: string): ContentCase {
  const server = random.several(0, 4, () => rule(random))
  const here = placed(
    random,
    folder,
    random.several(1, 5, () => rule(random)),
  )
  const files = {
    'index.html': 'index\n',
    'e.html': 'error page\n',
    'sub/index.htm': 'sub index\n',
    'sub/e.html': 'sub error\n',
    'closed/.htaccess': 'Require all denied\n',
    'closed/x.html': 'x\n',
    'empty/': '',
    'f.html': 'file\n',
    'loop.html': 'loop\n',
    'bad/.htaccess': 'NoSuchDirective x\n',
    'bad/x.html': 'x\n',
    'locked/.htaccess': 'AuthType Basic\nAuthName "l"\nRequire valid-user\n',
    'locked/x.html': 'x\n',
  }
  return {
    server: [...server, ...here.server],
    files: withHtaccess(files, here.htaccess),
    requests: random.several(5, 10, () => ({
      method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'FOO', 'OPTIONS', 'TRACE']),
      target: random.pick([
        '/',
        '/none',
        '/sub',
        '/sub/',
        '/closed/',
        '/closed/x.html',
        '/empty/',
        '/empty',
        '/f.html',
        '/f.html/info',
        '/bad/x.html',
        '/locked/x.html',
        '/sub/none.html',
        '/none?q',
        '/sub/?q=1',
        '/%',
        '/a%00b',
        '/%2e%2e/x',
        '/f.html?x',
        '/e.html',
        '/none/deep/er',
        '/index.html/',
        '/loop.html',
        '/closed',
      ]),
      headers: Object.fromEntries(someOf(random, HEADERS, 0, 2)),
    })),
  }
}

const HEADERS: readonly (readonly [string, string])[] = [
  ['If-Modified-Since', 'Sat, 01 Jan 2040 00:00:00 GMT'],
  ['If-Match', '"x"'],
  ['If-Unmodified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
  ['Expect', 'nonsense'],
  ['Range', 'bytes=1-2'],
  ['Range', 'bytes=900-'],
  ['Accept', 'text/plain'],
  ['If-None-Match', '*'],
  ['Expect', '100-continue'],
]

function rule(random: Random): string {
  return random.pick([
    () =>
      `ErrorDocument ${random.pick(['404', '403', '401', '500', '405', '400', '413', '412', '416', '417', '501'])} ${random.pick(['/e.html', '/sub/e.html', '/none', '"Not here & <b>"', 'http://o.example/e', '/closed/x.html', 'default', '"expr"', '/e.html?x=1', '"%{REQUEST_URI} text"', '/sub/', '/loop.html', '/bad/x.html'])}`,
    () =>
      `ErrorDocument ${random.pick(['404', '403', '500'])} ${random.pick(['/e.html', '"text"', '"http://o.example/?%{escape:%{REQUEST_URI}}"'])}`,
    () =>
      `DirectoryIndex ${random.pick(['index.html', 'index.htm index.html', 'disabled', '/e.html', 'none.html', 'sub/index.htm', 'closed/x.html', '/none', 'index.htm /f.html'])}`,
    () => `FallbackResource ${random.pick(['/f.html', '/none', 'disabled', '/sub/', '/closed/x.html', '/f.html/info'])}`,
    () => `DirectorySlash ${random.pick(['On', 'Off'])}`,
    () => `DirectoryIndexRedirect ${random.pick(['On', 'Off', 'permanent', '303', 'temp'])}`,
    () => `DirectoryCheckHandler ${random.pick(['On', 'Off'])}`,
    () => `ServerSignature ${random.pick(['On', 'Off', 'EMail'])}`,
    () => `Options ${random.pick(['+Indexes', '-Indexes', 'None', 'All', '+FollowSymLinks', 'Indexes'])}`,
    () => `AcceptPathInfo ${random.pick(['On', 'Off'])}`,
    () => `QualifyRedirectURL ${random.pick(['On', 'Off'])}`,
    () => `UseCanonicalName ${random.pick(['On', 'Off'])}`,
    () => `SetHandler ${random.pick(['none', 'nothing', 'default-handler'])}`,
    () => `Redirect ${random.pick(['/loop.html /loop.html', '/none /f.html', '404 /f.html', '/sub /x'])}`,
    () =>
      `RewriteEngine On\nRewriteRule ${random.pick(['^/?loop.html$ /loop.html', '^/?none$ - [F]', '^/?none$ /f.html', '^/?f.html$ - [G]', '^/?sub/?$ - [R=404]', '^/?none - [R=503]', '^/?empty/?$ /e.html [R=308,L]'])}`,
    () => `SetEnvIf Request_URI "none" ${random.pick(['redirect-carefully', 'suppress-error-charset', 'force-response-1.0'])}`,
    () => `AddDefaultCharset ${random.pick(['On', 'Off'])}`,
    () => `Header ${random.pick(['always ', ''])}set X-E "%{REDIRECT_STATUS}e %{REDIRECT_URL}e %{REDIRECT_ERROR_NOTES}e"`,
    () => `<Limit ${random.pick(['GET', 'POST', 'PUT DELETE'])}>\nRequire all denied\n</Limit>`,
    () => `TraceEnable ${random.pick(['On', 'Off', 'Extended'])}`,
    () => `AllowMethods ${random.pick(['GET', 'GET POST', 'reset'])}`,
    () => `LimitInternalRecursion ${random.pick(['2', '1 1', '5 5'])}`,
    () => `ServerAdmin ${random.pick(['webmaster@x.example', 'http://admin.example/'])}`,
    () => `LimitRequestBody ${random.pick(['0', '10'])}`,
  ])()
}
