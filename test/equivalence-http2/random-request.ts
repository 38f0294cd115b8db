import { seededNumbers } from '@gatewright/testing'

/** A request that both protocols can carry. */
export interface PlainRequest {
  readonly method: string
  readonly target: string
  readonly host: string
  /** Names in lower case. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Null for none. */
  readonly body: string | null
}

const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'BREW', 'TRACE']
const TARGETS = [
  ...['/f.txt', '/', '/none', '/denied/f.txt', '/private/f.txt', '/folder', '/folder/', '/f.txt?a=b&c', '/f.txt/more'],
  ...['/old', '/gone', '/a%20b.txt', '/%2e%2e/x', '/a%2fb', '/big.txt', '/empty.txt', '/page.html', '/%zz', '/vary', '//f.txt'],
]
const HOSTS = ['localhost', 'LOCALHOST', 'other', 'localhost:80', 'unknown.test', 'a_b', '127.0.0.1']
const FIELDS: readonly (readonly [string, readonly string[]])[] = [
  ['range', ['bytes=0-1', 'bytes=9999-', 'bytes=0-0,2-3', 'x']],
  ['if-none-match', ['*', '"x"']],
  ['if-modified-since', ['Sun, 01 Jan 2090 00:00:00 GMT', 'Sat, 01 Jan 2000 00:00:00 GMT', 'x']],
  ['if-match', ['"x"', '*']],
  ['accept', ['*/*', 'text/plain', 'image/png;q=0.1']],
  ['accept-language', ['de', 'en;q=0.5']],
  ['authorization', ['Basic YTpi', 'Basic eDp5', 'Digest x', 'Basic %']],
  ['expect', ['nonsense']],
  ['user-agent', ['test', 'Mozilla/5.0 (x)']],
  ['referer', ['http://localhost/']],
  ['cookie', ['a=b', 'c=d; e=f']],
  ['x-long', ['y'.repeat(400)]],
  ['x-wide', ['\xe9\xff']],
]

/** The same for the same numbers. */
export function randomRequest(seed: number, index: number): PlainRequest {
  const random = seededNumbers(seed * 1_000_003 + index * 7919 + 1)
  for (let i = 0; i < 3; i++) random(2)
  const one = <T>(list: readonly T[]): T => list[random(list.length)]
  const method = one(METHODS)
  const fields: [string, string][] = []
  const used = new Set<string>()
  for (let count = random(4); count > 0; count--) {
    const [name, values] = one(FIELDS)
    if (used.has(name)) continue
    used.add(name)
    fields.push([name, one(values)])
  }
  const hasBody = (method === 'POST' || method === 'PUT') && random(2) === 0
  return {
    method,
    target: one(TARGETS),
    host: random(3) === 0 ? one(HOSTS) : 'localhost',
    fields,
    body: hasBody ? 'b'.repeat(random(40)) : null,
  }
}
