// What several generators choose from. Placeholders: `@R@` document root, `@H@` name of the host, `@B@` folder of the world, `@P@` and `@Q@` ports.

/** Folders of every document root that rules are about. */
export const FOLDERS = ['/alt', '/dir', '/dir/sub', '/neg', '/priv', '/ls', '/err', '/users']
/** Files of every document root. */
export const FILES = [
  '/a.txt',
  '/b.txt',
  '/secret.txt',
  '/index.html',
  '/alt/x.txt',
  '/alt/secret.txt',
  '/alt/index.html',
  '/dir/page.html',
  '/dir/sub/deep.txt',
  '/priv/secret.txt',
  '/priv/index.html',
  '/neg/doc.var',
  '/neg/x.html.en',
  '/neg/y.txt',
  '/ls/one.txt',
  '/ls/two.html',
  '/err/403.html',
  '/err/404.html',
  '/e.php.txt',
  '/.hidden',
]
/** Links, by name: some lead to files, some to folders, some out of the root, some nowhere. */
export const LINKS = {
  '/ln.txt': 'a.txt',
  '/lsec.txt': 'secret.txt',
  '/lpriv': 'priv',
  '/lout': '../out',
  '/lout.txt': '../out/o.txt',
  '/lloop': 'lloop',
  '/ldang': 'nowhere',
  '/into': 'dir/sub',
  '/alt/up.txt': '../secret.txt',
}
/** Names that exist as rules only. */
export const ROUTES = [
  '/go',
  '/go1',
  '/go2',
  '/public/s.txt',
  '/nope',
  '/old',
  '/old/x',
  '/al',
  '/al/x.txt',
  '/am/secret.txt',
  '/~alice/x.txt',
  '/~alice',
  '/neg/x',
  '/neg/x.html',
  '/neg/y',
  '/neg/doc',
]

export const URL_PATTERNS = [
  '^/secret',
  '^/priv',
  '^/alt/',
  '^/go',
  '^/dir/sub',
  '^/[bs]',
  '\\.txt$',
  '^/$',
  '/x\\.html',
  '^/err/',
  '^//',
  'secret',
  '^/l',
  '/$',
  '^/nope|^/public',
  '%73',
  '^/neg/',
]
export const VARIABLES = ['bad', 'good', 'flag', 'seen', 'REDIRECT_STATUS', 'REDIRECT_bad', 'no-gzip', 'nosuch']
export const METHOD_SETS = ['GET', 'POST', 'GET POST', 'PUT DELETE', 'OPTIONS', 'HEAD', 'PROPFIND', 'GET OPTIONS']

/** Lines that set a variable depending on the request. */
export const SET_VARIABLES = [
  'SetEnvIf Request_URI "^/secret" bad',
  'SetEnvIf Request_URI "^/priv" bad=1',
  'SetEnvIf Request_URI "^/(go|public|alt)" good',
  'SetEnvIf Request_URI "\\.txt$" good flag=$0',
  'SetEnvIf Request_URI "^/.*" !bad',
  'SetEnvIf Request_Method "^(POST|PUT)$" bad',
  'SetEnvIf Request_Method GET good',
  'SetEnvIf Request_Protocol "HTTP/1\\.0" bad',
  'SetEnvIf Remote_Addr "^127\\.0\\.0\\.1$" good',
  'SetEnvIf Remote_Addr "^(10|192)\\." bad',
  'SetEnvIf Server_Addr "^127\\.0\\.1" bad',
  'SetEnvIf Host "^other" bad',
  'SetEnvIfNoCase Host "^@H@" good',
  'SetEnvIf X-Flag on good',
  'SetEnvIf X-Flag "^(.)" flag=$1',
  'SetEnvIf X-Flag off !good bad',
  'SetEnvIf good . seen=1',
  'SetEnvIf ^X-F o flag',
  'BrowserMatch "^bad" bad',
  'BrowserMatchNoCase robot bad=yes',
  'SetEnvIf Referer "^http://good" good',
  'SetEnv flag 1',
  'SetEnv seen late',
  'UnsetEnv good',
  'SetEnvIfExpr "%{REQUEST_URI} =~ m#^/priv#" bad',
  'SetEnvIfExpr "%{QUERY_STRING} =~ /x=(.)/" flag=$1',
  'SetEnvIfExpr "-n req(\'X-Flag\')" good',
]

/** Conditions of `Require expr`, `<If>` and others. */
export const CONDITIONS = [
  '%{REQUEST_URI} !~ m#^/secret#',
  '%{REQUEST_URI} =~ m#^/(go|public|nope)#',
  '%{REQUEST_URI} =~ m#^/priv#',
  '%{REQUEST_URI} !~ m#^/priv#',
  '%{REQUEST_URI} !~ m#x.html#',
  "%{REQUEST_URI} == '/'",
  "%{REQUEST_URI} == '/a.txt'",
  '%{REQUEST_URI} =~ m#/$#',
  '%{REQUEST_URI} =~ m#^//#',
  '%{REQUEST_FILENAME} =~ m#secret#',
  '%{REQUEST_FILENAME} =~ m#/(alt|dir)/#',
  '%{SCRIPT_FILENAME} !~ m#priv#',
  '-f %{REQUEST_FILENAME}',
  '-d %{REQUEST_FILENAME}',
  "%{REQUEST_METHOD} == 'GET'",
  "%{REQUEST_METHOD} in { 'POST', 'PUT', 'FOO' }",
  '%{QUERY_STRING} =~ /x/',
  '-z %{QUERY_STRING}',
  "reqenv('bad') == ''",
  "-n reqenv('good')",
  "-T reqenv('flag')",
  "-z reqenv('REDIRECT_STATUS')",
  "%{IS_SUBREQ} == 'false'",
  "%{IS_SUBREQ} == 'true'",
  "%{HTTP:X-Flag} == 'on'",
  "-n req('Authorization')",
  '%{THE_REQUEST} =~ m# /go#',
  "%{PATH_INFO} == ''",
  '%{HTTP_HOST} =~ /^@H@/',
  "%{SERVER_NAME} == '@H@.test'",
  '%{SERVER_PORT} -eq @P@',
  "%{REMOTE_USER} == 'alice'",
  '-n %{REMOTE_USER}',
  "%{REMOTE_ADDR} -ipmatch '127.0.0.1'",
  "-R '127.0.0.0/30'",
  '%{DOCUMENT_ROOT} =~ /docs$/',
  "%{CONTEXT_PREFIX} == ''",
  '%{REQUEST_STATUS} -eq 200',
  'true',
  'false',
]
/** Conditions that look up other URLs and files. */
export const LOOKAHEADS = [
  "-U '/priv/secret.txt'",
  "-U '/a.txt'",
  "-U '/go'",
  "-F '@R@/priv/secret.txt'",
  '-F %{REQUEST_FILENAME}',
  "-U '/nope'",
  "-U '/neg/x'",
]

/** A condition, perhaps of two. */
export function condition(rng) {
  const one = () => (rng.chance(0.05) ? rng.pick(LOOKAHEADS) : rng.pick(CONDITIONS))
  const text = one()
  if (rng.chance(0.85)) return text
  return rng.pick([`!(${text})`, `(${text}) && (${one()})`, `(${text}) || (${one()})`])
}
