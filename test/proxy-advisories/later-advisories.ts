import type { Advisory, Ports, Seen } from './advisory.ts'
import { ajpRequests, ajpResponse, fcgiResponse } from './back-end-protocols.ts'
import { DENIED, firstOf, get, isRefused, oneRequest, pass, reachesNobody, rewriting, secretIsSafe } from './checks.ts'

const uwsgi = ({ backend }: Ports): readonly string[] => [`ProxyPass "/" "uwsgi://127.0.0.1:${backend}/"`]
const fcgi = ({ backend }: Ports): readonly string[] => [`ProxyPass "/" "fcgi://127.0.0.1:${backend}/srv/"`]
const ajp = ({ backend }: Ports): readonly string[] => [`ProxyPass "/" "ajp://127.0.0.1:${backend}/"`]

const responsesIn = (answer: string): number => (answer.match(/HTTP\/1\.1 \d{3} /g) ?? []).length
const oneResponse = ({ answer }: Seen): string | null =>
  responsesIn(answer) === 1 ? null : `the client gets ${JSON.stringify(answer)}`
const oneAjpRequest = ({ backend }: Seen): string | null => {
  const count = ajpRequests(backend)
  return count <= 1 ? null : `the container reads ${count} requests`
}

/** Advisories about backends of other protocols, about paths, and about what backends send. */
export const LATER_ADVISORIES: readonly Advisory[] = [
  {
    id: 'CVE-2011-3348',
    about: 'a method that AJP does not know puts the worker in error, and nobody is served',
    lines: ajp,
    request: () => `FOO / HTTP/1.1\r\nHost: HOST\r\n\r\n${get('/')}`,
    answering: () => ajpResponse('page'),
    fault: ({ answer }) => (/ 200 OK[\s\S]*page/.test(answer) ? null : `the client gets ${JSON.stringify(answer)}`),
  },
  {
    id: 'CVE-2012-4558',
    about: 'the manager of balancers shows what a URL contains as HTML',
    lines: ({ backend }) => [
      '<Proxy "balancer://xss">',
      `BalancerMember "http://127.0.0.1:${backend}"`,
      '</Proxy>',
      '<Location "/manager">',
      'SetHandler balancer-manager',
      '</Location>',
    ],
    request: () =>
      get(`/manager/%3Cscript%3Ealert(1)%3C/script%3E?b=xss&w=%22%3E%3Cscript%3Ealert(2)%3C/script%3E&nonce=%3Cscript%3E`),
    fault: ({ answer, status }) =>
      status === 200 && !/<script>alert/i.test(answer) ? null : `the page is ${JSON.stringify(answer)}`,
  },
  {
    id: 'CVE-2014-3583',
    about: 'a head of a FastCGI responder that is longer than a buffer is read beyond its end',
    lines: fcgi,
    request: () => `GET /long HTTP/1.1\r\nHost: HOST\r\n\r\n${get('/')}`,
    answering: (records) =>
      records.includes('/long')
        ? fcgiResponse(`X-Long: ${'x'.repeat(100_000)}`)
        : fcgiResponse('Content-Type: text/plain\r\n\r\npage'),
    // As httpd has it, what does not end as a head is a body.
    fault: ({ answer }) =>
      responsesIn(answer) === 2 && answer.includes('page') ? null : `the client gets ${JSON.stringify(answer.slice(-2000))}`,
  },
  {
    id: 'CVE-2019-0220',
    about: 'two slashes hide a path from the rules about it',
    lines: (ports) => [...DENIED, '<LocationMatch "^/hidden/only">', 'Require all denied', '</LocationMatch>', ...pass(ports)],
    request: () => `GET //denied HTTP/1.1\r\nHost: HOST\r\n\r\n${get('/hidden//only')}`,
    fault: (seen) =>
      firstOf(reachesNobody(seen), (seen.answer.match(/ 403 /g) ?? []).length === 2 ? null : `the client gets ${seen.answer}`),
  },
  {
    id: 'CVE-2020-1927',
    about: 'an escaped line end in the path makes fields of a redirection',
    lines: () => rewriting('RewriteRule "^/old/(.*)$" "/new/$1" [R]', 'RewriteRule "^/bare(.*)" "http://HOST.test$1" [R]'),
    request: () => `GET /old/%0d%0aX-Made:%20x HTTP/1.1\r\nHost: HOST\r\n\r\n${get('/bare%0d%0aX-Made:%20x')}`,
    fault: ({ answer }) => (/^X-Made/m.test(answer) ? 'the client gets a field of its own' : null),
  },
  {
    id: 'CVE-2020-11984',
    about: 'fields that are longer than the length of a uwsgi packet can state are sent after it as something else',
    lines: uwsgi,
    request: () => get('/', Array.from({ length: 12 }, (_, index) => `X-Long-${index}: ${'x'.repeat(8000)}\r\n`).join('')),
    answering: () => 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage',
    fault: ({ backend, status }) => (backend === '' && status >= 400 ? null : `the status is ${status}`),
  },
  {
    id: 'CVE-2021-34798',
    about: 'a malformed request line stops the process',
    lines: pass,
    request: () => '\r\n\r\nGET\r\n\r\n',
    fault: (seen) =>
      seen.backend === '' && oneResponse(seen) === null ? null : `the client gets ${JSON.stringify(seen.answer)}`,
  },
  {
    id: 'CVE-2021-36160',
    about: 'a path that is shorter than that of the worker is read beyond its end',
    lines: ({ backend }) => [`ProxyPass "/" "uwsgi://127.0.0.1:${backend}/a/long/path/of/an/application/"`],
    request: () => get('/'),
    answering: () => 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage',
    fault: ({ backend, status }) =>
      status === 200 && /PATH_INFO..(?:\/a\/long\/path\/of\/an\/application)?\/?(?:[\x00-\x1f]|$)/s.test(backend)
        ? null
        : `status ${status}, the application gets ${JSON.stringify(backend)}`,
  },
  {
    id: 'CVE-2021-41773',
    about: 'escaped dots lead out of a folder',
    lines: (ports) => [...DENIED, ...pass(ports)],
    request: () => get('/open/.%2e/denied'),
    fault: isRefused,
  },
  {
    id: 'CVE-2021-42013',
    about: 'dots that are escaped twice lead out of a folder',
    lines: (ports) => [...DENIED, ...pass(ports)],
    request: () => get('/open/%%32%65%%32%65/denied'),
    fault: isRefused,
  },
  {
    id: 'CVE-2022-26377',
    about: 'a transfer coding that the front does not know becomes a second request for a container',
    lines: ajp,
    request: () =>
      `POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: xchunked\r\nContent-Length: 40\r\n\r\n\x124\x00\x10\x02${'x'.repeat(35)}`,
    answering: () => ajpResponse('page'),
    fault: (seen) =>
      firstOf(oneAjpRequest(seen), seen.status >= 400 && seen.status < 600 ? null : `the status is ${seen.status}`),
  },
  {
    id: 'CVE-2022-36760',
    about: 'a body with two lengths becomes a second request for a container',
    lines: ajp,
    request: () =>
      `POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n\x124\x00\x01\x02\r\n0\r\n\r\n`,
    answering: () => ajpResponse('page'),
    fault: (seen) =>
      seen.status === 400
        ? reachesNobody(seen)
        : /\x124\x00[\x05-\xff](?:\x00.)?\x124\x00\x01\x02/s.test(seen.backend) || ajpRequests(seen.backend) <= 1
          ? null
          : 'two requests',
  },
  {
    id: 'CVE-2023-27522',
    about: 'a malformed field of a uwsgi application ends the head, and later fields become the body',
    lines: uwsgi,
    request: () => get('/'),
    answering: () => 'HTTP/1.1 200 OK\r\nX-One: 1\r\nmalformed\r\nContent-Security-Policy: x\r\nContent-Length: 4\r\n\r\npage',
    fault: (seen) =>
      firstOf(
        oneResponse(seen),
        seen.answer.slice(seen.answer.indexOf('\r\n\r\n')).includes('Content-Security-Policy') ? 'a field is in the body' : null,
      ),
  },
  {
    id: 'CVE-2023-38709',
    about: 'a carriage return or NUL in a field of the backend splits the response',
    lines: pass,
    request: () => get('/'),
    answering: () => 'HTTP/1.1 200 OK\r\nX-One: a\rX-Made: x\r\nX-Two: a\0b\r\nContent-Length: 4\r\n\r\npage',
    fault: (seen) => firstOf(oneResponse(seen), /[\r\n]X-Made|\0/.test(seen.answer) ? 'the field is split' : null),
  },
  {
    id: 'CVE-2024-24795',
    about: 'a FastCGI responder frames the response itself, in two ways',
    lines: fcgi,
    request: () => get('/'),
    answering: () =>
      fcgiResponse(
        'Content-Type: text/plain\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
      ),
    fault: ({ answer }) => {
      const [head = ''] = answer.split('\r\n\r\n', 1)
      const framings = [...head.matchAll(/^(?:Content-Length|Transfer-Encoding):/gim)].length
      return framings <= 1 ? null : `the head frames twice: ${JSON.stringify(head)}`
    },
  },
  {
    id: 'CVE-2024-24795 (uwsgi)',
    about: 'a uwsgi application frames the response itself, in two ways',
    lines: uwsgi,
    request: () => get('/'),
    answering: () => 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    fault: ({ answer }) => {
      const [head = ''] = answer.split('\r\n\r\n', 1)
      const framings = [...head.matchAll(/^(?:Content-Length|Transfer-Encoding):/gim)].length
      return framings <= 1 ? null : `the head frames twice: ${JSON.stringify(head)}`
    },
  },
  {
    id: 'CVE-2024-38476',
    about: 'the type that a backend states becomes the handler of a local redirection',
    lines: (ports) => [`ProxyPass "/app" "fcgi://127.0.0.1:${ports.backend}/srv/"`],
    request: () => get('/app'),
    answering: () => fcgiResponse('Content-Type: proxy:http://127.0.0.1:SECRET/\r\nLocation: /plain.html\r\n\r\n'),
    fault: secretIsSafe,
  },
  {
    id: 'CVE-2024-42516',
    about: 'a Content-Type of the backend with a carriage return splits the response',
    lines: pass,
    request: () => get('/'),
    answering: () => 'HTTP/1.1 200 OK\r\nContent-Type: text/html\rX-Made: x\r\nContent-Length: 4\r\n\r\npage',
    fault: (seen) => firstOf(oneResponse(seen), /[\r\n]X-Made/.test(seen.answer) ? 'the field is split' : null),
  },
  {
    id: 'CVE-2024-43204',
    about: 'a type that the client chooses by a field of its request becomes the handler',
    lines: () => ['Header set Content-Type "expr=%{HTTP:X-Type}"'],
    request: ({ secret }) => get('/page.html', `X-Type: proxy:http://127.0.0.1:${secret}/\r\n`),
    fault: secretIsSafe,
  },
  {
    id: 'CVE-2025-54090',
    about: 'a condition that is an expression always holds',
    lines: ({ backend }) =>
      rewriting(`RewriteCond expr "%{HTTP:X-Key} == 'yes'"`, `RewriteRule "^/" "http://127.0.0.1:${backend}/" [P]`),
    request: () => get('/', 'X-Key: no\r\n'),
    fault: reachesNobody,
  },
  {
    id: 'CVE-2023-25690 (fields)',
    about: 'a line end in a target that a rule makes becomes a field for the backend',
    lines: ({ backend }) => rewriting(`RewriteRule "^/here/(.*)" "http://127.0.0.1:${backend}/there/$1" [P,NE]`),
    request: () => get('/here/x%0d%0aX-Made:%20x'),
    fault: (seen) => firstOf(oneRequest(seen), /^X-Made/m.test(seen.backend) ? 'the backend gets the field' : null),
  },
]
