import type { Random } from '../fixtures/random.ts'
import { HOSTILE_NAMES } from '../oracle-ldap/hostile-names.ts'
import { USERS } from './users.ts'

/** A request. */
export interface Visit {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Who logs in by a digest, which needs the server's nonce. */
  readonly digest: { readonly name: string; readonly password: string; readonly realm: string } | null
  readonly cookies: 'kept' | 'forgotten'
}

/** Fields that a server reads as a whole; longer ones are refused. */
const LONGEST_NAME = 5000
const NAMES = HOSTILE_NAMES.filter((name) => name.length < LONGEST_NAME)

export function varied(random: Random, count: number): readonly Visit[] {
  return Array.from({ length: count }, () => randomVisit(random))
}

function randomVisit(random: Random): Visit {
  const visit: Visit = { method: 'GET', path: '/public.html', headers: {}, body: null, digest: null, cookies: 'kept' }
  const [name, password] = credentials(random)
  switch (random.below(10)) {
    case 0:
    case 1:
      return {
        ...visit,
        path: random.pick(['/staff/page.html', '/staff/', '/staff/nosuch']),
        headers: basic(random, name, password),
      }
    case 2:
    case 3:
      return { ...visit, path: '/board/page.html', headers: basic(random, name, password) }
    case 4:
    case 5: {
      const digest = { name: name.replace(/["\\]|[^ -~]/g, ''), password, realm: random.percent(90) ? 'Reports' : 'Other' }
      return { ...visit, path: '/reports/page.html', digest: random.percent(75) ? digest : null }
    }
    case 6:
      return { ...visit, path: '/payroll/page.html', headers: basic(random, name, password) }
    case 7: {
      const body = `httpd_username=${encoded(name)}&httpd_password=${encoded(password)}`
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      return { ...visit, method: 'POST', path: random.pick(['/dologin', '/dologin', '/members/page.html']), headers, body }
    }
    case 8:
      return {
        ...visit,
        path: random.pick(['/members/page.html', '/members/page.html', '/members/']),
        cookies: random.percent(80) ? 'kept' : 'forgotten',
      }
    default:
      return {
        ...visit,
        path: random.pick(['/logout', '/public.html', '/login.html', '/dologin', '/members/nosuch']),
        method: random.pick(['GET', 'GET', 'HEAD']),
      }
  }
}

function credentials(random: Random): readonly [string, string] {
  if (random.percent(20)) return [random.pick(NAMES), 'alice-password']
  const [name, password] = random.pick(USERS)
  return [name, random.percent(80) ? password : random.pick(['', 'wrong', `${password} `])]
}

function basic(random: Random, name: string, password: string): Record<string, string> {
  if (random.percent(8)) return {}
  return { Authorization: `Basic ${Buffer.from(`${name}:${password}`, 'latin1').toString('base64')}` }
}

function encoded(text: string): string {
  return [...Buffer.from(text, 'latin1')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
