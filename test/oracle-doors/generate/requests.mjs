// Requests of one host: paths of its files and rules, changed in ways that servers read differently.
import { ADDRESSES } from '../layout.mjs'
import { FILES, FOLDERS, LINKS, ROUTES } from './words.mjs'

const METHODS = [
  [30, 'GET'],
  [2, 'HEAD'],
  [3, 'POST'],
  [1.5, 'OPTIONS'],
  [1, 'PUT'],
  [0.5, 'DELETE'],
  [0.4, 'PROPFIND'],
  [0.4, 'TRACE'],
  [0.5, 'FOO'],
  [0.2, 'get'],
  [0.2, 'CONNECT'],
]
const OTHER_PATHS = [
  '/',
  '/',
  '/',
  '/sp%20ace.txt',
  '/p%2520q.txt',
  '/caf%C3%A9.txt',
  '/.htpasswd',
  '/.htaccess',
  '/alt/.htaccess',
  '/missing',
  '/missing/below',
  '/lout/o.txt',
  '/lpriv/secret.txt',
  '/into/deep.txt',
  '/a.txt.bak',
  '/secret.txt.bak',
  '/x',
  '/x.html',
  '/index',
  '/neg/x.html.fr',
  '/neg/nosuch',
  '/dir/go',
  '/alt/go',
  '/dir/b.txt',
  '/caf%E9.txt',
]

const CHANGES = [
  [4, (path) => `/${path}`],
  [1.5, (path) => `//${path}`],
  [1, (path) => `/.${path}`],
  [1, (path) => `/x/..${path}`],
  [0.7, (path) => `/.${path.replace('/', '//')}`],
  [1, (path) => path.replaceAll('/', '//').replace('//', '/')],
  [1, (path) => path.replace(/\/([a-z])/, (_, letter) => `/%${letter.charCodeAt(0).toString(16)}`)],
  [0.8, (path) => `/${path.replace(/\/([a-z])/, (_, letter) => `/%${letter.charCodeAt(0).toString(16)}`)}`],
  [0.7, (path) => path.replace(/\/([^/]*)$/, '%2f$1')],
  [0.3, (path) => `/%2f${path.slice(1)}`],
  [0.3, (path) => path.replace(/\/([^/]*)$/, '%5c$1')],
  [0.3, (path) => `${path}%00`],
  [0.3, (path) => `${path}%3f`],
  [2, (path) => `${path}/`],
  [1.5, (path) => `${path}/extra`],
  [0.4, (path) => `${path}/../${path.slice(path.lastIndexOf('/') + 1)}`],
  [0.4, (path) => `${path}/%2e%2e/a.txt`],
  [0.3, (path) => `/..${path}`],
  [0.3, (path) => `//${path}/../..`],
  [0.4, (path) => path.toUpperCase()],
  [0.4, (path) => `${path};x=1`],
  [0.3, (path) => `${path}#frag`],
  [0.2, (path) => path.slice(1)],
  [0.4, (path) => `${path}.bak`],
  [1, (path) => `http://@H@.test${path}`],
  [0.5, (path) => `http://@H@.test/${path}`],
  [0.3, (path) => `http://h00.test:@P@${path}`],
  [0.2, (path) => `http:///${path}`],
  [0.2, (path) => `ftp://@H@.test${path}`],
  [0.2, (path) => `//@H@.test${path}`],
  [0.1, () => '*'],
]
const FIELDS = [
  [5, (rng) => ['X-Flag', rng.pick(['on', 'off', 'maybe', ''])]],
  [4, (rng) => ['Authorization', credentials(rng)]],
  [
    4,
    (rng) => [
      'X-Forwarded-For',
      rng.pick([
        '10.0.0.9',
        '192.0.2.7',
        '127.0.0.1',
        '10.0.0.9, 127.0.0.2',
        'bad',
        '192.0.2.7, bad',
        '::1',
        '192.0.2.7,',
        '',
        '127.2',
        'fe80::1%lo',
        '10.0.0.9:80',
        '192.0.2.7, 10.0.0.9, 192.0.2.9',
      ]),
    ],
  ],
  [2, (rng) => ['User-Agent', rng.pick(['bad robot', 'Robot', 'fine'])]],
  [2, (rng) => ['Referer', rng.pick(['http://good.test/', 'http://evil.test/'])]],
  [2, (rng) => ['Range', rng.pick(['bytes=0-2', 'bytes=-3', 'bytes=2-', 'bytes=900-', 'bytes=0-1,3-4', 'lines=1'])]],
  [1, (rng) => ['If-Modified-Since', rng.pick(['Wed, 01 Jan 2020 12:34:05 GMT', 'Tue, 01 Jan 2019 00:00:00 GMT', 'rubbish'])]],
  [0.5, (rng) => ['If-Unmodified-Since', rng.pick(['Wed, 01 Jan 2020 12:34:05 GMT', 'Tue, 01 Jan 2019 00:00:00 GMT'])]],
  [0.7, (rng) => ['If-None-Match', rng.pick(['*', '"x"'])]],
  [0.5, (rng) => ['If-Match', rng.pick(['*', '"x"'])]],
  [2, (rng) => ['Accept-Language', rng.pick(['fr', 'en', 'de', 'fr;q=0.5, en', '*'])]],
  [1.5, (rng) => ['Accept', rng.pick(['text/html', 'text/plain', 'image/png', '*/*', 'text/*;q=0.3'])]],
  [1, (rng) => ['Accept-Encoding', rng.pick(['gzip', 'identity', 'x-gzip, identity;q=0'])]],
  [0.3, () => ['Accept-Charset', 'utf-8']],
  [0.3, () => ['Expect', '100-continue']],
  [0.3, () => ['Cookie', 'a=b']],
]

function credentials(rng) {
  const pair = rng.weighted([
    [5, 'alice:secret'],
    [3, 'bob:b'],
    [1, 'carol:c:d'],
    [1, 'alice:wrong'],
    [1, 'nobody:x'],
    [0.7, 'guest:me@x.test'],
    [0.4, 'alice'],
  ])
  return rng.chance(0.04) ? 'Bearer abc' : `Basic ${Buffer.from(pair).toString('base64')}`
}

/** A request to the host; `kind` is the way in which the host is selected. */
export function request(rng, { kind, address }) {
  const method = rng.weighted(METHODS)
  const version = rng.weighted([
    [30, '1.1'],
    [2, '1.0'],
    [0.2, '0.9'],
  ])
  const out = {
    to: '127.0.0.1',
    port: kind === 'port' ? 'Q' : 'P',
    from: '127.0.0.1',
    method: version === '0.9' ? 'GET' : method,
    version,
    target: target(rng),
    fields: [],
  }
  if (kind === 'address') out.to = address
  else if (rng.chance(0.06)) out.port = rng.pick(['P', 'Q'])
  else if (out.port === 'P' && rng.chance(0.03)) out.to = rng.pick(ADDRESSES)
  if (rng.chance(0.12)) out.from = rng.pick(['127.0.0.2', '127.0.0.9'])
  const host = hostField(rng)
  if (host !== null && !(version !== '1.1' && rng.chance(0.4))) out.fields.push(['Host', host])
  if (rng.chance(0.8) && version !== '0.9') out.fields.push(['Connection', 'close'])
  while (rng.chance(0.4)) {
    const [name, value] = rng.weighted(FIELDS)(rng)
    if (!out.fields.some(([other]) => other === name)) out.fields.push([name, value])
  }
  if (version !== '0.9' && (method === 'POST' || method === 'PUT' || rng.chance(0.01)))
    out.body = rng.pick(['x=1', '', 'longer body'])
  return out
}

function hostField(rng) {
  return rng.weighted([
    [30, '@H@.test'],
    [2, '@H@.test:@P@'],
    [1, '@H@.test:99'],
    [0.7, '@H@.TEST'],
    [0.7, '@H@.test.'],
    [1, 'www.@H@.test'],
    [1, 'other.test'],
    [0.4, '127.0.0.1'],
    [0.2, '[::1]:7'],
    [0.2, ''],
    [0.2, 'h00.test'],
    [0.1, 'b@d'],
    [0.1, '@H@.test:'],
  ])
}

function target(rng) {
  let path = rng.weighted([
    [8, rng.pick(FILES)],
    [3, `${rng.pick(FOLDERS)}/`],
    [1, rng.pick(FOLDERS)],
    [6, rng.pick(ROUTES)],
    [2, rng.pick(Object.keys(LINKS))],
    [6, rng.pick(OTHER_PATHS)],
  ])
  if (rng.chance(0.33)) path = rng.weighted(CHANGES)(path)
  if (rng.chance(0.12)) path += rng.pick(['?x=1', '?', '?a%20b', '?x', '?/../x'])
  return path
}
