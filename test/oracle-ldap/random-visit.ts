import type { Random } from '../fixtures/random.ts'
import { HOSTILE_NAMES } from './hostile-names.ts'
import type { RandomDirectory } from './random-directory.ts'

/** A request. */
export interface Visit {
  readonly method: string
  /** From 127.0.0.5, which some sections let in. */
  readonly isNear: boolean
  readonly headers: Readonly<Record<string, string>>
  /** For people who read the report. */
  readonly about: string
}

export function randomVisit(random: Random, directory: RandomDirectory): Visit {
  const login = randomLogin(random, directory)
  const headers: Record<string, string> = {}
  if (login !== null) headers['Authorization'] = login
  if (random.percent(20)) headers['X-Flag'] = 'on'
  if (random.percent(40))
    headers['X-Who'] = random.pick(['alice', 'staff', 'bob', '*', 'one', 'x)(uid=alice', 'Board\\, Inner', 'a,b', ''])
  const decoded = login?.startsWith('Basic ') ? JSON.stringify(Buffer.from(login.slice(6), 'base64').toString('latin1')) : login
  const shown =
    decoded !== null && decoded !== undefined && decoded.length > 90 ? `${decoded.slice(0, 90)}... (${decoded.length})` : decoded
  return {
    method: random.percent(8) ? random.pick(['HEAD', 'POST', 'OPTIONS']) : 'GET',
    isNear: random.percent(12),
    headers,
    about: `${shown} ${JSON.stringify({ ...headers, Authorization: undefined })}`,
  }
}

/** A field Authorization; null means none. */
function randomLogin(random: Random, { logins }: RandomDirectory): string | null {
  const kind = random.below(100)
  if (kind < 6) return null
  if (kind < 8) return random.pick(['Basic', 'Basic !!!', `Basic ${base64('alice')}`, 'Bearer abc', 'basic YWxpY2U6cHctMA=='])
  if (kind < 30) return basic(random.pick(HOSTILE_NAMES), `pw-${random.below(5)}`)
  if (kind < 35) return basic('local', 'secret')
  const { name, password } = random.pick(random.percent(40) ? logins.slice(0, 4) : logins)
  if (kind < 42)
    return basic(
      name,
      random.pick(['', 'wrong', 'pw-0', name, `${password}\0`, `${password}\0x`, ` ${password}`, password.toUpperCase()]),
    )
  return basic(name, password)
}

function basic(name: string, password: string): string {
  return `Basic ${base64(`${name}:${password}`)}`
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64')
}
