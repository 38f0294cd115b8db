// Random boolean expressions.

const COMPARISONS = [
  "%{REQUEST_METHOD} == 'GET'",
  "%{REQUEST_METHOD} in { 'POST', 'PUT' }",
  "%{HTTP:X-Flag} == 'on'",
  "%{HTTP:X-Flag} != ''",
  "tolower(req('X-Flag')) -in { 'on', 'maybe' }",
  '%{HTTP:X-Number} -gt 5',
  "%{HTTP:X-Number} -eq '07'",
  '%{HTTP:X-Number} lt 10',
  "%{HTTP:X-Number} < '5'",
  "-T reqenv('flag')",
  '-T %{HTTP:X-Flag}',
  '-n %{QUERY_STRING}',
  '-z %{QUERY_STRING}',
  '%{QUERY_STRING} =~ /x=(\\d+)/ && $1 -ge 3',
  "-R '127.0.0.2/31'",
  "-R '::1/128'",
  "%{REMOTE_ADDR} -ipmatch '127.0.0.0/30'",
  "%{REMOTE_ADDR} -strmatch '127.0.0.?'",
  "%{REQUEST_URI} -fnmatch '/*/f.txt'",
  "%{REQUEST_URI} -strmatch '*/A/*'",
  "%{REQUEST_URI} -strcmatch '*/A/*'",
  '%{REQUEST_URI} =~ m#/a/#',
  '%{REQUEST_URI} !~ m#/B/#i',
  '%{REQUEST_FILENAME} =~ m#/b/[^/]*$#',
  '%{THE_REQUEST} =~ /HTTP.1\\.1$/',
  "%{IS_SUBREQ} == 'false'",
  '%{REQUEST_STATUS} -eq 200',
  "%{REQUEST_SCHEME} == 'http'",
  "%{HTTPS} == 'off'",
  "%{IPV6} == 'on'",
  "%{AUTH_TYPE} == ''",
  '-f %{REQUEST_FILENAME}',
  '-s %{REQUEST_FILENAME}',
  '-d %{DOCUMENT_ROOT}',
  "md5('a') == '0cc175b9c0f1b6a831c399e269772661'",
  "%{base64:%{HTTP:X-Flag}} == 'b24='",
  'unescape(%{QUERY_STRING}) =~ / /',
  "%{env:flag} == '1'",
  "osenv('NO_SUCH_VARIABLE') == ''",
  '%{HTTP_REFERER} =~ m#^http://(good|fine)\\.example/#',
  "%{HTTP_USER_AGENT} -strmatch 'probe*'",
  "'a' . %{HTTP:X-Flag} . 'z' == 'aonz'",
]
const SUBREQUESTS = ["-U '/@P@/a/f.txt'", "-U '/@P@/nosuch'", "-F '@DOCROOT@/@P@/a/f.txt'", '-F %{REQUEST_FILENAME}']
const OF_USERS = [
  "%{REMOTE_USER} == 'alice'",
  "%{REMOTE_USER} in { 'bob', 'carol' }",
  '-n %{REMOTE_USER}',
  '%{REMOTE_USER} =~ /^(.)/ && $1 =~ /[a-b]/',
]

/** An expression. `users`: it may test the user; `subrequests`: it may look up other URLs. */
export function expression(rng, { users = true, subrequests = true } = {}, depth = 0) {
  const kind =
    depth >= 2
      ? 'atom'
      : rng.weighted([
          [6, 'atom'],
          [1, 'and'],
          [1, 'or'],
          [0.7, 'not'],
          [0.3, 'constant'],
        ])
  const inner = () => expression(rng, { users, subrequests }, depth + 1)
  switch (kind) {
    case 'and':
      return `(${inner()} ${rng.pick(['&&', 'and'])} ${inner()})`
    case 'or':
      return `(${inner()} ${rng.pick(['||', 'or'])} ${inner()})`
    case 'not':
      return `${rng.pick(['!', 'not '])}(${inner()})`
    case 'constant':
      return rng.pick(['true', 'false'])
    default:
      return rng.pick(
        rng.weighted([
          [8, COMPARISONS],
          [users ? 2.5 : 0, OF_USERS],
          [subrequests ? 2 : 0, SUBREQUESTS],
        ]),
      )
  }
}
