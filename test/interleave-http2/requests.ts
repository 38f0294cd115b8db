import { seededNumbers } from '@gatewright/testing'

export type Field = readonly [name: string, value: string]

/** A request that HTTP/1.1 and HTTP/2 can carry. */
export interface PlannedRequest {
  /** Names the request in the log. */
  readonly id: string
  readonly method: string
  readonly path: string
  /** Names in lower case. */
  readonly fields: readonly Field[]
  /** The parts in which the body is sent; null for a request without body. */
  readonly body: readonly string[] | null
  /** Whether Content-Length states the length of the body. */
  readonly statesLength: boolean
  readonly trailers: readonly Field[]
  /** Whether the client gives the request up. */
  readonly isReset: boolean
}

/** What a random choice is made with: a whole number below the limit. */
export type Choice = (limit: number) => number

const PAGES = [
  '/f.txt',
  '/big.txt',
  '/big.txt',
  '/empty.txt',
  '/',
  '/none',
  '/denied/f.txt',
  '/private/f.txt',
  '/folder',
  '/folder/',
  '/old',
]
const ECHOES = ['/echo', '/echo?mirror', '/echo?late', '/echo?unread', '/echo?parts', '/private/echo', '/denied/echo']
const FIELDS: readonly (readonly [string, readonly string[]])[] = [
  ['authorization', ['Basic YTpi', 'Basic eDp5']],
  ['range', ['bytes=0-1', 'bytes=5-']],
  ['te', ['trailers']],
  ['cookie', ['a=b', 'c=d; e=f']],
  ['user-agent', ['test', 'Mozilla/5.0 (x)']],
  ['referer', ['http://localhost/']],
  ['x-long', ['y'.repeat(3000)]],
  ['x-wide', ['\xe9\xff']],
  ['priority', ['u=0', 'u=1, i', 'u=7', 'i', 'nonsense']],
]

/** Those that read the body to its end, and so learn of trailers before they respond. Others may have gone: nothing logs theirs. */
const READING: ReadonlySet<string> = new Set(['/echo', '/echo?mirror', '/echo?late', '/echo?parts'])

/** Bytes of all bodies of a conversation: they fit the window that a connection begins with. */
const BODIES_MAX = 50_000

/** Bytes of small parts: several of them are kept in one block until they are read. */
const SMALL = 16

/** The generator of a conversation, the same for the same numbers. */
export function choiceOf(seed: number, conversation: number): Choice {
  const random = seededNumbers(seed * 1_000_003 + conversation * 7919 + 1)
  for (let i = 0; i < 3; i++) random(2)
  return random
}

/** The requests of a conversation. */
export function randomRequests(choice: Choice, seed: number, conversation: number): PlannedRequest[] {
  let room = BODIES_MAX
  return Array.from({ length: 1 + choice(9) }, (_, index) => {
    const request = randomRequest(choice, `${seed}-${conversation}-${index}`, room)
    for (const part of request.body ?? []) room -= part.length
    return request
  })
}

function randomRequest(choice: Choice, id: string, room: number): PlannedRequest {
  const one = <T>(list: readonly T[]): T => list[choice(list.length)]
  const isEcho = choice(2) === 0
  const method = isEcho ? one(['POST', 'PUT', 'POST', 'GET']) : one(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST'])
  const fields = new Map<string, string>([['x-id', id]])
  for (let count = choice(4); count > 0; count--) {
    const [name, values] = one(FIELDS)
    fields.set(name, one(values))
  }
  const hasBody = method === 'POST' || method === 'PUT'
  const body = hasBody ? randomBody(choice, room) : null
  const statesLength = choice(2) === 0
  const path = isEcho ? one(ECHOES) : one(PAGES)
  return {
    ...{ id, method, path, fields: [...fields], body, statesLength },
    trailers: hasBody && !statesLength && choice(3) > 0 ? [[READING.has(path) ? 'x-end' : 'x-late', `end of ${id}`]] : [],
    isReset: choice(6) === 0,
  }
}

function randomBody(choice: Choice, room: number): string[] {
  const parts: string[] = []
  let left = Math.min(room, [0, 10, 2000, 16_000][choice(4)])
  for (let count = 1 + choice(5); count > 0 && left > 0; count--) {
    const length = 1 + choice(choice(3) === 0 ? Math.min(left, SMALL) : left)
    left -= length
    parts.push(String.fromCharCode(97 + choice(26)).repeat(length))
  }
  return parts
}
