import type { Random } from '../../fixtures/random.ts'
import { type ContentCase, placed, withHtaccess } from '../content-case.ts'

const FIELDS = [
  'Status: 404 Gone away',
  'Status: 301 Moved',
  'Status: 200',
  'Status: x',
  'Status: 204 None',
  'Status: 304 Same',
  'Status: 999',
  'Status: 500 Own',
  'Status: 401 No',
  'Status: 416 R',
  'Location: http://x.example/',
  'Location: /f.txt',
  'Location: /f.txt?q',
  'Location: relative',
  'Content-Type: text/html',
  'Content-Type: text/plain; charset=x',
  'X-A: 1',
  'X-A: 2',
  'x-a:3',
  'Set-Cookie: a=b',
  'Set-Cookie: c=d',
  'ETag: "own"',
  'Last-Modified: Sat, 01 Jan 2000 00:00:00 GMT',
  'no colon here',
  ' X-Folded: y',
  'X-Empty:',
  'Content-Range: bytes 0-1/4',
  'Vary: X',
  'WWW-Authenticate: Basic realm="x"',
  'Content-Language: de',
  'Content-Encoding: x-own',
  'Cache-Control: max-age=5',
  'Expires: 0',
  'Date: x',
  'Server: y',
  'Accept-Ranges: bytes',
  'Allow: GET',
  'Link: </l>; rel=x',
] as const

/** Programs of CGI whose heads have all kinds of lines, and lines that change the response. */
export function scripts(random: Random, folder: string): ContentCase {
  const here = placed(random, folder, [
    'Options +ExecCGI',
    'AddHandler cgi-script .cgi',
    ...random.several(0, 3, () => rule(random)),
  ])
  return {
    server: here.server,
    files: withHtaccess(
      { 'a.cgi': program(random), 'b.cgi': program(random), 'f.txt': 'f\n', 'e.html': 'error page\n' },
      here.htaccess,
    ),
    requests: random.several(4, 8, () => ({
      method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'PUT']),
      target: random.pick(['/a.cgi', '/b.cgi', '/a.cgi/info', '/b.cgi?q=1', '/a.cgi/']),
      headers: random.pick<Record<string, string>>([
        {},
        {},
        {},
        { 'If-None-Match': '"own"' },
        { Range: 'bytes=0-1' },
        { 'If-Modified-Since': 'Sat, 01 Jan 2060 00:00:00 GMT' },
        { 'Accept-Encoding': 'gzip' },
        { 'If-Match': '"x"' },
        { 'If-None-Match': '*' },
      ]),
    })),
  }
}

function program(random: Random): string {
  const end = random.pick(['\n', '\n', '\r\n'])
  const head = random.several(0, 5, () => random.pick(FIELDS)).join(end)
  const body = random.pick(['', 'body\n', 'b'.repeat(9000), '<p>$REQUEST_METHOD $PATH_INFO $QUERY_STRING</p>'])
  const text = `${head}${random.pick([`${end}${end}`, `${end}${end}`, `${end}${end}`, end, ''])}${body}`
  // The shell puts variables of CGI into the text.
  const quoted = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('`', '')
  return `#!/bin/sh\nprintf '%s' "${quoted}"\n${random.pick(['', '', 'echo oops >&2\n', 'exit 3\n'])}`
}

function rule(random: Random): string {
  return random.pick([
    'Header set X-A b',
    'Header always set X-A c',
    'Header unset Set-Cookie',
    'Header append X-A d',
    'Header edit X-A 1 9',
    'ExpiresActive On\nExpiresDefault A60',
    'SetOutputFilter DEFLATE',
    'AddDefaultCharset On',
    'AddDefaultCharset utf-8',
    'ErrorDocument 404 /e.html',
    'ErrorDocument 500 "own text"',
    'ErrorDocument 401 /e.html',
    'AcceptPathInfo Off',
    'ForceType text/plain',
    'Header set ETag "\\"h\\""',
    'Header unset Last-Modified',
    'Header set Content-Type text/x',
    'AddType text/x-script .cgi',
    'SetEnv force-response-1.0 1',
    'Header always unset WWW-Authenticate',
    'AddLanguage en .cgi',
    'FileETag All',
    'Header merge Vary X',
    'SetEnvIf Request_URI . suppress-error-charset',
  ])
}
