import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, someOf, withHtaccess } from '../content-case.ts'

const NAMES = [
  'X-A',
  'X-B',
  'Cache-Control',
  'Vary',
  'Content-Type',
  'Set-Cookie',
  'ETag',
  'X-a',
  'Last-Modified',
  'Via',
] as const
const VALUES = [
  'one',
  '"two words"',
  '"%t"',
  '"a,b"',
  '"%{V}e"',
  '"%{V}e-%%"',
  '"expr=%{REQUEST_URI}"',
  '"expr=%{req:X-In}"',
  '"%{X}s"',
  '""',
  '"a\\"b"',
  '"expr=%{md5:a}"',
  '%D%',
  '"%l"',
] as const

/** Header, RequestHeader, Expires, SetEnvIf and variables, which depend on each other. */
export function fields(random: Random, folder: string): ContentCase {
  const server = random.several(0, 4, () => rule(random))
  const here = placed(
    random,
    folder,
    random.several(2, 6, () => rule(random)),
  )
  const files = { 'f.html': 'html\n', 'f.txt': 'text\n', 'echo.shtml': '', 'sub/f.html': 'sub\n' }
  const below: Record<string, string> = random.percent(50)
    ? { 'sub/.htaccess': `${random.several(1, 3, () => rule(random)).join('\n')}\n` }
    : {}
  return {
    server: [...server, ...here.server],
    files: withHtaccess({ ...files, ...below }, here.htaccess),
    requests: random.several(4, 8, () => ({
      method: random.pick(['GET', 'GET', 'HEAD', 'OPTIONS']),
      target: random.pick(['/f.html', '/f.txt', '/sub/f.html', '/none', '/sub', '/f.html?q=1']),
      headers: Object.fromEntries(someOf(random, INCOMING, 0, 3)),
    })),
  }
}

const INCOMING: readonly (readonly [string, string])[] = [
  ['X-In', 'in value'],
  ['X-In2', 'a,b'],
  ['User-Agent', 'Mozilla/5.0 (X)'],
  ['Referer', 'http://r.example/p'],
  ['If-None-Match', '*'],
  ['Accept-Encoding', 'gzip'],
  ['Cookie', 'a=b; c=d'],
  ['Range', 'bytes=0-1'],
  ['X-Empty', ''],
]

function rule(random: Random): string {
  const name = random.pick(NAMES)
  const value = random.pick(VALUES)
  const condition = random.pick([
    '',
    '',
    '',
    ' env=V',
    ' env=!V',
    ' "expr=%{REQUEST_STATUS} == 404"',
    ' "expr=-n req(\'X-In\')"',
    ' "expr=%{CONTENT_TYPE} =~ /html/"',
    ' early',
    ' env=W',
  ])
  const always = random.pick(['', '', 'always ', 'onsuccess '])
  return random.pick([
    () => `Header ${always}${random.pick(['set', 'append', 'add', 'merge', 'setifempty'])} ${name} ${value}${condition}`,
    () => `Header ${always}${random.pick(['set', 'append', 'add', 'merge', 'setifempty'])} ${name} ${value}${condition}`,
    () => `Header ${always}unset ${name}${random.pick(['', condition])}`,
    () =>
      `Header ${always}${random.pick(['edit', 'edit*'])} ${name} ${random.pick(['"(.)"', '"^o"', '"b|,"', '"^$"', '"t(w)o"'])} ${random.pick(['"[$1]"', '"X"', '""', '"$0$0"'])}${condition}`,
    () => `Header ${always}echo ${random.pick(['^X-In', 'X-', '^User', '(?i)^x-in$'])}${condition}`,
    () => `Header ${always}note ${name} noted`,
    () =>
      `RequestHeader ${random.pick(['set', 'append', 'add', 'merge', 'setifempty'])} ${random.pick(['X-In', 'X-In2', 'If-None-Match', 'Range', 'X-New'])} ${value}${condition}`,
    () => `RequestHeader unset ${random.pick(['X-In', 'Range', 'If-None-Match'])}`,
    () => `RequestHeader edit X-In ${random.pick(['"n"', '"^(.*)$"'])} "<$1>"`,
    () => `SetEnv ${random.pick(['V', 'W'])} ${random.pick(['val', '"v v"', ''])}`,
    () => `UnsetEnv ${random.pick(['V', 'W'])}`,
    () =>
      `SetEnvIf ${random.pick(['X-In', 'Request_URI', 'Remote_Addr', 'Request_Method', 'V', 'Server_Addr', '^X-I', 'Request_Protocol'])} ${random.pick(['"."', '"^in (.*)$"', '"html"', '"^$"'])} ${random.pick(['V', 'V=$1', '!V', 'W=w V=x', 'W=$0'])}`,
    () => `SetEnvIfNoCase User-Agent mozilla ${random.pick(['V', 'W=$0'])}`,
    () => `SetEnvIfExpr "${random.pick(['%{REQUEST_URI} =~ /(html)/'])}" ${random.pick(['V', 'V=$1', '!V'])}`,
    () => `BrowserMatch ^Moz ${random.pick(['V', 'nokeepalive', 'force-response-1.0'])}`,
    () => `ExpiresActive ${random.pick(['On', 'On', 'Off'])}`,
    () =>
      `ExpiresDefault ${random.pick(['A3600', 'M60', '"access plus 1 day 2 hours"', '"modification plus 1 month"', '"now plus 5 minutes"', 'X1', '"access 1 week"'])}`,
    () =>
      `ExpiresByType ${random.pick(['text/html', 'text/*', 'text/plain'])} ${random.pick(['A10', '"access plus 1 year"', 'M5'])}`,
    () => `AddDefaultCharset ${random.pick(['On', 'utf-8'])}`,
    () => 'AddType text/plain .txt',
    () => `SetEnv ${random.pick(['no-gzip', 'downgrade-1.0', 'force-no-vary', 'suppress-error-charset', 'nokeepalive'])} 1`,
  ])()
}
