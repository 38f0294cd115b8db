// Random requests into a policy's folders.
import { USERS } from './authentication.mjs'
import { DETOUR_PATHS } from './detours.mjs'
import { LEVELS } from './places.mjs'

const METHODS = [
  [12, 'GET'],
  [2, 'HEAD'],
  [4, 'POST'],
  [1.5, 'OPTIONS'],
  [1.2, 'PUT'],
  [0.6, 'DELETE'],
  [0.5, 'FOO'],
  [0.3, 'PATCH'],
  [0.3, 'TRACE'],
  [0.2, 'get'],
]
const FILES = [
  [12, '/f.txt'],
  [1.5, '/one.html'],
  [2, '/'],
  [0.6, ''],
  [1, '/missing.txt'],
  [0.6, '/missing/below'],
  [0.4, '/%66.txt'],
  [0.4, '/f.txt/extra'],
  [0.3, '/./f.txt'],
  [0.3, '//f.txt'],
]
const QUERIES = ['?x=1', '?x=7', '?a%20b', '?']
const HEADERS = [
  [4, 'X-Flag', ['on', 'off', 'maybe', 'ON']],
  [1, 'X-User', ['alice', 'bob carol', 'zoe', '']],
  [1, 'X-Group', ['admins', 'staff', 'dev', 'ops web']],
  [1, 'X-Number', ['3', '7', '12', '07', 'x', '-1']],
  [0.5, 'X-Type', ['Basic', 'None', 'Foo']],
  [0.7, 'Referer', ['http://good.example/x', 'http://bad.example/']],
  [0.7, 'User-Agent', ['probe/1', 'other']],
]
const ODD_CREDENTIALS = [
  'Basic',
  'Basic ***',
  'Bearer abc',
  `Basic ${base64('nocolon')}`,
  `Basic ${base64(':pw')}`,
  `basic  ${base64('alice:secret')} x`,
  `Basic\t${base64('alice:secret')}`,
  `Basic ${base64('b\u00f3b:x')}`,
  `Basic ${base64('bo\nb:x')}`,
  'Digest username="alice"',
]

/**
 * @param hosts the policy asks for names: only 127.0.0.1 has one on every machine, and needs no name server for it
 * @param detours the policy leads some URLs elsewhere, or looks at how they are written
 */
export function randomRequest(rng, { hosts, detours }) {
  const request = {
    method: rng.weighted(METHODS),
    target: `/@P@${rng.pick([0, 0, 1, 1, 2, 2].map((level) => LEVELS[level]))}${rng.weighted(FILES)}`,
    headers: {},
  }
  if (detours && rng.chance(0.4)) request.target = `/@P@${rng.pick(DETOUR_PATHS)}`
  if (detours && rng.chance(0.25)) request.target = rng.pick(['/', '//', '/.', '/x/..']) + request.target
  if (rng.chance(0.12)) request.target += rng.pick(QUERIES)
  request.from = hosts
    ? '127.0.0.1'
    : rng.weighted([
        [6, '127.0.0.1'],
        [3, '127.0.0.2'],
        [1, '127.0.0.5'],
        [1, '127.0.9.1'],
        [2, '::1'],
      ])
  const authorization = credentials(rng)
  if (authorization !== null) request.headers.Authorization = authorization
  while (rng.chance(0.35)) {
    const [, name, values] = rng.weighted(HEADERS.map((header) => [header[0], header]))
    request.headers[name] = rng.pick(values)
  }
  if (request.method === 'POST' || request.method === 'PUT') request.body = 'x=1'
  return request
}

function credentials(rng) {
  const pairs = Object.entries(USERS).map(([name, password]) => `${name}:${password}`)
  const text = rng.weighted([
    [10, null],
    [12, rng.pick(pairs)],
    [2, 'alice:wrong'],
    [1.5, 'nobody:secret'],
    [0.7, 'erin:dbm'],
    [0.7, 'guest:a@b.example'],
    [1, 'odd'],
  ])
  if (text === null) return null
  return text === 'odd' ? rng.pick(ODD_CREDENTIALS) : `Basic ${base64(text)}`
}

function base64(text) {
  return Buffer.from(text).toString('base64')
}
