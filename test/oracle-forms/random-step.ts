import type { Random } from '../fixtures/random.ts'
import { type RandomSite, USERS } from './random-site.ts'

/** A request of a client that keeps cookies, and what happens to its cookies before. */
export interface Step {
  /** `exchange` gives each server the cookies of the other. */
  readonly cookies: 'kept' | 'forgotten' | 'forged' | 'twice' | 'exchanged'
  /** With `forged`: the value of the cookie. */
  readonly forged: string
  readonly method: string
  /** Below `/eN`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Values that clients may send as sessions. `a realm` is the realm of the sites. */
const FORGED = [
  'a+realm-user=alice&a+realm-pw=alice-password',
  'a+realm-user=alice&a+realm-pw=wrong',
  'a+realm-user=bob',
  'a%20realm-user=alice&a%20realm-pw=alice-password&x=%zz',
  'a=1&b=2&a=3&=4&&c',
  'x=%00y',
  'x=%c3%bc+%26',
  '=',
  '%',
  'expiry=1',
]

const PAGES = [
  'members/page.html',
  'members/open/page.html',
  'members/',
  'members/nosuch',
  'form.html',
  'app/set.asis',
  'app/clear.asis',
  'app/empty.asis',
  'app/add.asis',
]

export function randomStep(random: Random, site: RandomSite): Step {
  const kind = random.below(100)
  const headers: Record<string, string> = random.percent(20)
    ? { 'X-Go': random.pick(['/go', 'http://oracle.example/x', '', 'a b']) }
    : {}
  const step: Step = { cookies: 'kept', forged: '', method: 'GET', path: `/${random.pick(PAGES)}`, headers, body: null }
  // A session that cannot be read differs on purpose when a login follows: such a cookie is not kept.
  if (kind < 6 && site.keeping !== 'database') return { ...step, cookies: 'forged', forged: random.pick(FORGED) }
  if (kind < 9) return { ...step, cookies: 'twice' }
  if (kind < 14) return { ...step, cookies: 'forgotten' }
  if (kind < 20 && site.keeping !== 'database') return { ...step, cookies: 'exchanged' }
  if (kind < 30) return { ...step, path: '/logout', method: random.percent(70) ? 'GET' : 'POST' }
  if (kind < 35) return { ...step, path: '/login', method: random.pick(['GET', 'HEAD', 'PUT', 'POST']) }
  if (kind < 60) return step
  const target = random.pick(['/login', '/login', '/members/page.html', '/members/page.html', '/members/open/page.html'])
  const type = random.percent(90)
    ? 'application/x-www-form-urlencoded'
    : random.pick(['application/x-www-form-urlencoded; charset=utf-8', 'text/plain', 'multipart/form-data; boundary=x'])
  return {
    ...step,
    method: random.percent(95) ? 'POST' : random.pick(['GET', 'PUT']),
    path: target,
    headers: { ...headers, 'Content-Type': type },
    body: form(random, site.fields),
  }
}

function form(random: Random, [user, password, location, method, type, body]: readonly string[]): string {
  const [name, secret] = random.pick(USERS)
  const pairs: [string, string][] = [
    [user, random.percent(90) ? name : random.pick(['nobody', '', 'alice\0', 'ALICE', 'anonymous', "a'b", '<b>'])],
    [password, random.percent(80) ? secret : random.pick(['wrong', '', 'alice-password\0x'])],
  ]
  if (random.percent(25))
    pairs.push([location, random.pick(['/after', 'http://oracle.example/after', 'relative', '/with space'])])
  // Most logins have all or none of the fields that replace the request.
  const share = random.percent(25) ? 90 : 5
  if (random.percent(share)) pairs.push([method, random.pick(['GET', 'POST', 'PUT'])])
  if (random.percent(share)) pairs.push([type, random.pick(['text/plain', 'application/x-www-form-urlencoded'])])
  if (random.percent(share)) pairs.push([body, random.pick(['the body', '', 'a=b&c=d'])])
  if (random.percent(15)) pairs.push(['other', 'x'.repeat(random.pick([1, 10, 60]))])
  if (random.percent(10)) pairs.push(pairs[0])
  if (random.percent(10)) pairs.reverse()
  if (random.percent(8)) pairs.splice(random.below(pairs.length), 1)
  const text = pairs.map((pair) => pair.map(encoded).join('=')).join('&')
  return random.percent(5) ? random.pick([`${text}&`, `&${text}`, `${text}&%zz=1`, text.replace('=', ''), '', '=']) : text
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+')
}
