import { parseTarget } from '@gatewright/http'
import t from 'tap'
import { first } from './harness.ts'

t.test('an origin form is split into path, query and fragment, and nothing is decoded', async (t) => {
  t.match(parseTarget('/a%20b/?x=1?y'), { form: 'origin', path: '/a%20b/', query: 'x=1?y', fragment: null, error: '' })
  t.match(parseTarget('/a'), { path: '/a', query: null })
  t.match(parseTarget('/a?'), { path: '/a', query: '' })
  t.match(parseTarget('/a?b#c?d'), { path: '/a', query: 'b', fragment: 'c?d' })
  t.match(parseTarget('/a#b?c'), { path: '/a', query: null, fragment: 'b?c' })
  t.match(parseTarget('//h/x'), { form: 'origin', host: null, path: '/h/x' })
  t.match(parseTarget('/f:80'), { scheme: '', path: '/f:80' })
  t.match(parseTarget('?q'), { path: '/', query: 'q', error: '' })
})

t.test(
  'of several slashes in front of a path one is left, but not in the absolute form, nor where they are escaped',
  async (t) => {
    for (const [target, path] of [
      ['//a', '/a'],
      ['////a//b', '/a//b'],
      ['//', '/'],
      ['///?//q', '/'],
      ['//%2fa', '/%2fa'],
      ['/%2f/a', '/%2f/a'],
      ['/.//a', '/.//a'],
      ['//u@h:80/x', '/u@h:80/x'],
      ['http://h//a', '//a'],
      ['http:////a', '//a'],
    ]) {
      t.match(parseTarget(target), { path, error: '' }, target)
    }
  },
)

t.test('an absolute form names scheme, host and port; a missing path is the root', async (t) => {
  t.match(parseTarget('http://h/p?q'), { form: 'absolute', scheme: 'http', host: 'h', port: 0, path: '/p', query: 'q' })
  t.match(parseTarget('HTTPS://H:8443'), { scheme: 'https', host: 'H', port: 8443, portText: ':8443', path: '/' })
  t.match(parseTarget('http://h?q'), { path: '/', query: 'q' })
  t.match(parseTarget('http://h:/p'), { host: 'h', port: 80, portText: ':' })
  t.match(parseTarget('https://h:/p'), { host: 'h', port: 443, portText: ':' })
  t.match(parseTarget('http://[::1]:80/'), { host: '::1', port: 80 })
  t.match(parseTarget('http:///p'), { host: '', path: '/p', error: '' })
  t.match(parseTarget('http:/p'), { scheme: 'http', host: null, path: '/p' })
  t.match(parseTarget('http://u:p@h/'), { userinfo: 'u:p', host: 'h' })
  t.match(parseTarget('http://u@x@y/'), { userinfo: 'u@x', host: 'y' })
})

t.test('what is neither is an error that names the piece', async (t) => {
  for (const [target, error] of [
    ['f.txt', 'f.txt'],
    ['*', '*'],
    ['\\', '\\'],
    ['localhost:80', '80'],
    ['http:f.txt', 'f.txt'],
    ['mailto:x', 'x'],
    ['a/b:c', 'a/b:c'],
    ['1http://x/', '1http://x/'],
    ['://x/', '://x/'],
    ['http://x:abc/', 'http://x:abc/'],
    ['http://x:80:90/', 'http://x:80:90/'],
    ['http://[::1/', 'http://[::1/'],
    ['http://[]/', 'http://[]/'],
  ] as const) {
    t.equal(parseTarget(target).error, error, target)
  }
})

t.test('OPTIONS has a separate form', async (t) => {
  t.match(parseTarget('*', 'OPTIONS'), { form: 'asterisk', path: '*', error: '' })
  t.match(parseTarget('http://x', 'OPTIONS'), { form: 'asterisk', path: '*', host: 'x' })
  t.match(parseTarget('http://x/', 'OPTIONS'), { form: 'absolute', path: '/' })
  t.not(parseTarget('**', 'OPTIONS').error, '')
})

t.test('CONNECT accepts only host and port', async (t) => {
  t.match(parseTarget('a.b:443', 'CONNECT'), { form: 'authority', host: 'a.b', port: 443, path: '/', error: '' })
  t.match(parseTarget('[::1]:443', 'CONNECT'), { form: 'authority', host: '::1', port: 443 })
  for (const target of ['a', 'a:', 'a:8a', 'a:80:80', '/p', 'http://a:80/', '[::1]', '[::1:80', '[]:80', '*', 'a:80?q']) {
    t.not(parseTarget(target, 'CONNECT').error, '', target)
  }
})

t.test('a user name is rejected in strict mode; the server decides which schemes it serves', async (t) => {
  const status = (target: string, strict = true) =>
    first(`GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`, { strict }).refusal?.status ?? 200
  t.equal(status('http://h/'), 200)
  t.equal(status('https://h/'), 200)
  t.equal(status('ftp://h/'), 200)
  t.equal(status('http://u@h/'), 400)
  t.equal(status('http://u@h/', false), 200)
})

t.test('an absolute target without an authority is rejected in strict mode, although httpd treats it as a path', async (t) => {
  for (const target of ['http:/p', 'http:', 'https:/h/p']) {
    const raw = `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`
    t.match(first(raw).refusal, { status: 400, log: { code: 'AH03450' } }, target)
    t.equal(first(raw, { strict: false }).refusal, null, target)
  }
})
