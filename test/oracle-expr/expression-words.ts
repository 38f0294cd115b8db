/** Parts of generated expressions: typical ones of configurations, and hostile ones. */

/** Variables whose values two servers on the same machine share. */
export const VARIABLES: readonly string[] =
  `HTTP_ACCEPT HTTP_COOKIE HTTP_FORWARDED HTTP_HOST HTTP_PROXY_CONNECTION HTTP_REFERER HTTP_USER_AGENT REQUEST_METHOD REQUEST_SCHEME
  REQUEST_URI DOCUMENT_URI REQUEST_FILENAME SCRIPT_FILENAME PATH_INFO QUERY_STRING THE_REQUEST REQUEST_STATUS REMOTE_ADDR REMOTE_HOST
  REMOTE_USER REMOTE_IDENT AUTH_TYPE SERVER_NAME SERVER_PORT SERVER_PROTOCOL SERVER_ADMIN DOCUMENT_ROOT CONTEXT_PREFIX
  CONTEXT_DOCUMENT_ROOT IS_SUBREQ HANDLER CONTENT_TYPE LAST_MODIFIED SCRIPT_USER SCRIPT_GROUP HTTPS HTTP2 IPV6
  CONN_REMOTE_ADDR TIME_YEAR TIME_MON TIME_DAY TIME_WDAY API_VERSION
  remote_addr Request_Uri http_host`.split(/\s+/)

export const WRONG_VARIABLES: readonly string[] = [
  'NOSUCH',
  'HTTP_X_A',
  'a-b',
  '',
  ' REMOTE_ADDR',
  '1A',
  '_A',
  'A:',
  'REMOTE_ADDR ',
]

export const PURE_FUNCTIONS: readonly string[] =
  'tolower toupper escape unescape base64 unbase64 md5 sha1 ldap TOLOWER Escape unEscape'.split(' ')
export const REQUEST_FUNCTIONS: readonly string[] = 'req http req_novary resp reqenv note env osenv REQ Http ENV'.split(' ')
export const FILE_FUNCTIONS: readonly string[] = ['file', 'filesize', 'FILE', 'FileSize']
export const WRONG_FUNCTIONS: readonly string[] = 'nosuch split join sub in eq lt true not PeerExtList substitute'.split(' ')

/** Names of headers that requests have, do not have, and odd ones. */
export const NAMES: readonly string[] =
  'X-A X-B X-Num x-num X-Missing Accept User-Agent HOST Cookie PATH HOME VAR_A var_a X_A'.split(' ')

export const TEXTS: readonly string[] = [
  ...'a b abc ABC aBc abcabc x 0 1 10 9 -1 off OFF no No false FALSE falsey on true nope 00 0x10 a.b a/b /a/b/c'.split(' '),
  ...'127.0.0.1 127.0.0.0/8 10.0.0.0/8 10. 127.0 ::1 localhost example.com foo=bar a,b;c one=1&two=2'.split(' '),
  ...'9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 99999999999999999999 00012 +5 - +'.split(
    ' ',
  ),
  ...'YWJj YWJjZA== /w== YQBi a%20b a%2Fb %41%zz %00 %4 %'.split(' '),
  ' 12',
  '12 13',
  '',
  ' ',
  'a b c',
  'text/html, */*;q=0.8',
  '\xe9t\xe9',
  '\xc9T\xff',
  'it (is) <so>',
  '[a-z]{2}',
  '*',
  'a*c',
  '?',
  'a+b',
  '^a$',
  '#no comment',
  '$',
  '$$',
  '$a',
  '}',
  '{}',
  '%}',
  '@:;,._-!~',
]

/** Escapes of string text, right and wrong. */
export const ESCAPES: readonly string[] = [
  ...'\\\\ \\\' \\" \\t \\b \\f \\a \\x \\$1 \\%{ \\} \\101 \\7 \\60 \\377 \\0 \\000'.split(' '),
  ...'\\400 \\9 \\08 \\1234 \\78'.split(' '),
]

export const SHELL_PATTERNS: readonly string[] = [
  ...'* ? a* *c a?c [abc] [a-c]* [!a]* [^a]* [ ]] [] []a] [!] [!]] [a [a- [a-] [-a]* [z-a] \\* \\a\\b\\c a\\ **'.split(' '),
  ...'*/* /*/* /a/* /?/b/c a[/]b [[:alpha:]]* [\\]a]* [a-\\c]* [A-Z]* *.b .* a**c *\xe9* [\xe0-\xff]*'.split(' '),
]

/** What Gatewright refuses on purpose (recursion, branch reset, conditionals, verbs, `\\K`) is not among them, nor are groups whose text may differ. */
export const PATTERNS: readonly string[] = [
  ...'a b ^a c$ ^abc$ . .* (a) (a)(b) ^(.)(.*)$ (a|b)+ (x)? (?:a)b ((a)(b)?) [a-c]+ [^a]+ [[:alpha:]]+ [[:^digit:]]'.split(' '),
  ...'\\d+ \\D \\w+ \\W \\s \\S \\bab \\Bb \\A.\\z \\x61 \\x{62} \\141 \\Qa.b\\E (?i)ABC (?i:A)b (?s).(?-s). a{2} (?:ab?c){2} (a)\\1 ([a-z])\\1'.split(
    ' ',
  ),
  ...'(?<n>a)\\k<n> (?P<n>b)(?P=n) (?=a)a (?!a). (?<=a)b (?<!a)b a++ a*+b (?>a+)b a?? .*? (?x:a|b) (?#c)a \\N \\R \\h \\pL \\p{Lu}'.split(
    ' ',
  ),
  ...'( ) [ [a (?P<n [b-a] *a a** a{2,1} a{,2} a{1 \\ (?z) (?<=a+)b (?<=a|bc)c \\1 \\g1 \\g{-1} \\G'.split(' '),
  ...'^[0-9]{1,3}\\.[0-9]+ ^/a/([^/]+)/ (GET|POST) ([^=]+)=([^&;]+) \\.(?:gif|jpe?g)$ ^$ | a| |a () (|a) a$b ^^a$$ [\\]a] []a] [^]a] [a\\-c] [\\w-]+'.split(
    ' ',
  ),
  ...'[[.a.]] [[=a=]] [:alpha:] [[:foo:]] [\\d-z] [a-\\d] \\8 \\08 \\c@ \\cA \\e \\o{141} \\x \\xg \\L \\u0061 \\N{U+61} \\E \\Q \\QaE'.split(
    ' ',
  ),
  'a b',
  '(?x)a b # c',
  '\xe9',
  '[\xc0-\xff]',
]

export const REGEX_DELIMITERS: readonly string[] = [...'/#$%^,;:_?|-!.\'"']
export const WRONG_DELIMITERS: readonly string[] = [...'({[<~@&=+*\\a1 `']

export const NETWORKS: readonly string[] = [
  ...'127.0.0.1 127.0.0.0/8 127.0.0.0/255.0.0.0 10.0.0.0/8 10. 10 127.0 127. ::1 ::/0 ::ffff:127.0.0.1 fe80::/10 0.0.0.0/0'.split(
    ' ',
  ),
  ...'127.0.0.1/33 127.0.0.1/ /8 256.1.1.1 1.2.3.4.5 1.2.3.4/255.0.255.0 1.2.3.4/8/9 all localhost example.com ::1/129 :: 1/2 0x7f.1 127.1 1..2 .1'.split(
    ' ',
  ),
  '127.0.0.1 10.0.0.1',
  ' 127.0.0.1',
  '',
]
