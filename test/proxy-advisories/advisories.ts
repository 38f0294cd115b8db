import type { Advisory } from './advisory.ts'
import { DENIED, firstOf, get, isRefused, oneRequest, pass, reachesNobody, rewriting, secretIsSafe } from './checks.ts'

/** Advisories about mod_proxy, mod_proxy_http and what maps requests to them. */
export const ADVISORIES: readonly Advisory[] = [
  {
    id: 'CVE-2011-3368',
    about: 'a target without a slash after a pattern without one names another server',
    lines: ({ backend }) => rewriting(`RewriteRule "(.*)" "http://127.0.0.1:${backend}$1" [P]`),
    request: ({ secret }) => get(`@127.0.0.1:${secret}/x`),
    fault: isRefused,
  },
  {
    id: 'CVE-2011-3639',
    about: 'the same in HTTP/0.9',
    lines: ({ backend }) => rewriting(`RewriteRule "(.*)" "http://127.0.0.1:${backend}$1" [P]`),
    request: ({ secret }) => `GET @127.0.0.1:${secret}/x\r\n\r\n`,
    fault: reachesNobody,
  },
  {
    id: 'CVE-2011-4317',
    about: 'a target with a colon after ProxyPassMatch without a slash names another server',
    lines: ({ backend }) => [`ProxyPassMatch "(.*)" "http://127.0.0.1:${backend}$1"`],
    request: ({ secret }) => get(`x:@127.0.0.1:${secret}/x`),
    fault: isRefused,
  },
  {
    id: 'CVE-2012-3502',
    about: 'the rest of a response whose length was wrong is not the response to the next request',
    lines: pass,
    request: () => `GET /first HTTP/1.1\r\nHost: HOST\r\n\r\n${get('/second')}`,
    answering: (head) =>
      head.startsWith('GET /first')
        ? 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npageHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged'
        : 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond',
    fault: ({ answer }) => (answer.includes('forged') ? 'the second client gets the rest of the first response' : null),
  },
  {
    id: 'CVE-2014-0117',
    about: 'a Connection field with empty options stops the process',
    lines: pass,
    request: () => `GET / HTTP/1.1\r\nHost: HOST\r\nConnection: ,, ,\r\nConnection: \r\n\r\n${get('/', 'Connection: ;,x\r\n')}`,
    fault: ({ answer }) => ((answer.match(/ 200 OK/g) ?? []).length === 2 ? null : `the responses are ${JSON.stringify(answer)}`),
  },
  {
    id: 'CVE-2015-3183',
    about: 'a chunk size with other characters divides the body in another way than the backend',
    lines: pass,
    request: () => `POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n2 2\r\nab\r\n0\r\n\r\n${get('/hidden')}`,
    fault: (seen) => firstOf(seen.status === 400 ? null : `the status is ${seen.status}`, oneRequest(seen)),
  },
  {
    id: 'CVE-2016-5387',
    about: 'a field Proxy becomes the variable HTTP_PROXY of a script',
    lines: (ports) => [...pass(ports), 'Header always set X-Variable "expr=%{env:HTTP_PROXY}"'],
    request: () => get('/', 'Proxy: http://192.0.2.1/\r\n'),
    fault: ({ answer }) => (/^X-Variable: .*192/m.test(answer) ? 'the variable has the value of the field' : null),
  },
  {
    id: 'CVE-2016-8743',
    about: 'a space before the colon makes a field that servers read in different ways',
    lines: pass,
    request: () => `POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length : 40\r\n\r\n${get('/hidden')}`,
    fault: isRefused,
  },
  {
    id: 'CVE-2016-8743 (responses)',
    about: 'the same in a response: the field does not frame it',
    lines: pass,
    request: () => `${get('/')}`,
    answering: () => 'HTTP/1.1 200 OK\r\nContent-Length : 4\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    fault: ({ answer }) => ((answer.match(/HTTP\/1\.1 /g) ?? []).length === 1 ? null : 'the client gets two responses'),
  },
  {
    id: 'CVE-2019-10092',
    about: 'the page about a backend that fails contains the URL as HTML',
    lines: () => ['ProxyPass "/" "http://127.0.0.1:1/"'],
    request: () => get("/%3Cscript%3Ealert(1)%3C/script%3E?<a/href='//x'>"),
    fault: ({ answer, status }) =>
      /<script|<a\/href/i.test(answer) || status !== 503 ? `the page is ${JSON.stringify(answer)}` : null,
  },
  {
    id: 'CVE-2019-10098',
    about: 'a line feed in the path ends the pattern of a rewrite rule before its end',
    lines: ({ backend }) => rewriting(`RewriteRule "^/safe/(.*)$" "http://127.0.0.1:${backend}/safe/$1" [P]`),
    request: ({ secret }) => get(`/safe/%0a@127.0.0.1:${secret}/`),
    fault: (seen) => firstOf(secretIsSafe(seen), oneRequest(seen), /%0a|^$/i.test(seen.backend) ? null : 'the escape is lost'),
  },
  {
    id: 'CVE-2019-17567',
    about: 'a connection becomes a tunnel although the backend did not switch protocols, and later requests are not checked',
    lines: ({ backend }) => [...DENIED, `ProxyPass "/" "http://127.0.0.1:${backend}/" upgrade=websocket`],
    request: () =>
      `GET /ws HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n${get('/denied')}`,
    fault: ({ backend, answer }) =>
      backend.includes('/denied') || !answer.includes(' 403 ') ? `the second request was not denied: ${answer}` : null,
  },
  {
    id: 'CVE-2020-13950',
    about: 'a request with both Content-Length and Transfer-Encoding stops the process',
    lines: pass,
    request: () =>
      'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n',
    fault: (seen) =>
      firstOf(
        seen.status === 200 || seen.status === 400 ? null : `the status is ${seen.status}`,
        /content-length: 5/i.test(seen.backend) ? 'the backend gets the length that was overridden' : null,
        oneRequest(seen),
      ),
  },
  {
    id: 'CVE-2021-40438',
    about: 'a query that begins with unix: chooses the server that the request is sent to',
    lines: pass,
    request: ({ secret }) => get(`/?unix:${'A'.repeat(5000)}|http://127.0.0.1:${secret}/`),
    fault: secretIsSafe,
  },
  {
    id: 'CVE-2021-44224',
    about: 'a forward proxy opens sockets that a URL names by unix:',
    lines: () => ['ProxyRequests On', '<Proxy "*">', 'Require all granted', '</Proxy>'],
    request: ({ secret }) => get(`http:unix:/tmp/socket|http://127.0.0.1:${secret}/`),
    fault: (seen) => firstOf(reachesNobody(seen), seen.status >= 400 ? null : `the status is ${seen.status}`),
  },
  {
    id: 'CVE-2022-22720',
    about: 'what follows a body that could not be discarded is read as a request',
    lines: (ports) => [...DENIED, ...pass(ports)],
    request: () => `POST /denied HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${get('/hidden')}`,
    fault: (seen) =>
      firstOf(reachesNobody(seen), (seen.answer.match(/HTTP\/1\.1 /g) ?? []).length === 1 ? null : 'two responses'),
  },
  {
    id: 'CVE-2022-31813',
    about: 'the option X-Forwarded-For of Connection removes the field that the proxy adds',
    lines: pass,
    request: () =>
      'GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close, X-Forwarded-For, X-Forwarded-Host, X-Forwarded-Server\r\n\r\n',
    fault: ({ backend }) =>
      ['For', 'Host', 'Server'].every((name) => new RegExp(`^X-Forwarded-${name}: `, 'im').test(backend))
        ? null
        : `the backend got ${JSON.stringify(backend)}`,
  },
  {
    id: 'CVE-2022-37436',
    about: 'a malformed field of the backend ends the head, and later fields become the body',
    lines: pass,
    request: () => get('/'),
    answering: () => 'HTTP/1.1 200 OK\r\nX-One: 1\r\nmalformed\r\nContent-Security-Policy: x\r\nContent-Length: 4\r\n\r\npage',
    fault: ({ answer }) => {
      const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
      return body.includes('Content-Security-Policy') ? `the body is ${JSON.stringify(body)}` : null
    },
  },
  {
    id: 'CVE-2023-25690',
    about: 'escaped spaces and line ends in a path that a rule puts into a query become another request',
    lines: ({ backend }) => rewriting(`RewriteRule "^/here/(.*)" "http://127.0.0.1:${backend}/there?$1" [P]`),
    request: () => get('/here/x%20HTTP/1.1%0d%0aHost:%20x%0d%0a%0d%0aGET%20/hidden'),
    fault: (seen) => firstOf(oneRequest(seen), seen.backend.includes('\r\nGET') ? 'a second request' : null),
  },
  {
    id: 'CVE-2024-38473',
    about: 'an escaped question mark hides the name of a file from its access rule',
    lines: ({ backend }) => [
      '<Files "admin.php">',
      'Require all denied',
      '</Files>',
      '<FilesMatch "[.]php$">',
      `SetHandler "proxy:http://127.0.0.1:${backend}"`,
      '</FilesMatch>',
    ],
    request: () => get('/admin.php%3fx.php'),
    fault: ({ backend }) => (/ \/admin\.php\?/.test(backend) ? `the backend got ${JSON.stringify(backend)}` : null),
  },
  {
    id: 'CVE-2024-38474',
    about: 'an escaped question mark in a part of the path makes a query of what a rewrite rule substitutes',
    lines: ({ backend }) => rewriting(`RewriteRule "^/to/(.*)" "http://127.0.0.1:${backend}/$1.suffix" [P]`),
    request: () => get('/to/secret%3f'),
    fault: ({ backend }) => (/ \/secret\?/.test(backend) ? `the backend got ${JSON.stringify(backend)}` : null),
  },
  {
    id: 'CVE-2024-38477',
    about: 'a malformed URL for a forward proxy stops the process',
    lines: () => ['ProxyRequests On', '<Proxy "*">', 'Require all granted', '</Proxy>'],
    request: () => get('http:/'),
    fault: (seen) => firstOf(reachesNobody(seen), seen.status >= 400 ? null : `the status is ${seen.status}`),
  },
  {
    id: 'CVE-2024-39573',
    about: 'a rewrite rule whose result begins with the path makes a request for a server that the client names',
    lines: () => rewriting('RewriteRule "^/(.*)" "$1"'),
    request: ({ secret }) => get(`/proxy:http://127.0.0.1:${secret}/`),
    fault: secretIsSafe,
  },
]
