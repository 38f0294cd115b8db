// npm run oracle:forms [-- --seed N --count M --steps S --rounds R --show K --plants]: serves random sites with logins by forms and
// sessions in cookies, encrypted ones and databases with Apache httpd and Gatewright, lets a client of each that keeps its cookies
// make the same random requests, and reports every difference in status, fields, cookies, sessions, bodies and what is logged.
// What is encrypted, or a random key, is compared by what it means: the values of the session, and what the other server makes of
// it. --plants changes our configuration in several ways, each of which must be found. Needs apache2 with libaprutil1-dbd-sqlite3,
// and a built dist/. Ends with a line `N passed, N failed` that counts sites.
import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { type Answer, ask } from '../fixtures/ask.ts'
import { freePort } from '../fixtures/free-port.ts'
import { LOG_BY_REQUEST, loggedByRequest } from '../fixtures/logged-by-request.ts'
import { type Change, type Counts, compareRounds, findPlants, type OracleRounds } from '../fixtures/oracle-rounds.ts'
import { Random } from '../fixtures/random.ts'
import { withoutSessionEnd } from '../fixtures/without-session-end.ts'
import { type Contestant, contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { type RandomSite, randomSite, USERS } from './random-site.ts'
import { randomStep, type Step } from './random-step.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    steps: { type: 'string', default: '25' },
    rounds: { type: 'string', default: '1' },
    show: { type: 'string', default: '20' },
    plants: { type: 'boolean', default: false },
  },
})

/** Fields that are compared. */
const COMPARED: readonly string[] = [
  'cache-control',
  'content-type',
  'location',
  'set-cookie',
  'set-cookie2',
  'www-authenticate',
  'x-cookies',
  'x-login',
  'x-session',
  'x-user',
]

/** Differences of one site that are printed: the later ones may follow from the first. */
const MOST_SHOWN = 2

/** Directives without which an answer changes. */
const LEFT_OUT = [
  'AuthFormLoginRequiredLocation',
  'AuthFormLoginSuccessLocation',
  'AuthFormSitePassphrase',
  'AuthFormFakeBasicAuth On',
  'AuthFormDisableNoStore On',
  'AuthFormUsername',
  'AuthFormPassword',
  'AuthFormLocation',
  'AuthFormMethod',
  'AuthFormMimetype',
  'AuthFormBody',
  'AuthzSendForbiddenOnFailure',
  'SessionExpiryUpdateInterval',
  'SessionInclude',
  'SessionEnv',
  'SessionCookieRemove On',
  'SessionDBDCookieRemove Off',
  'SessionCryptoCipher',
  'Require not user bob',
]

/** Changes of our configuration alone, by name: each changes an answer. */
const PLANTS: Readonly<Record<string, Change>> = {
  'sessions last for ever': (line) => line.replace(/^SessionMaxAge .*/, ''),
  'applications cannot write sessions': (line) => line.replace(/^SessionHeader .*/, ''),
  'forms may have any length': (line) => line.replace(/^AuthFormSize .*/, ''),
  'no path is left out': (line) => line.replace(/^SessionExclude .*/, ''),
  'another passphrase': (line) => line.replace('first-passphrase-of-16', 'other-passphrase-of-16'),
  'no former passphrase': (line) => line.replace('second-passphrase-16 first-passphrase-of-16', 'second-passphrase-16'),
  'a logout leads nowhere': (line) => line.replace(/^AuthFormLogoutLocation .*/, ''),
  'scripts may read cookies': (line) => line.replace(';HttpOnly', ''),
  'cookies of the second kind are of the first': (line) => line.replace('CookieName2', 'CookieName'),
  'a member is anybody': (line) => line.replace(/^Require user .*/, 'Require valid-user'),
  'nobody is asked to log in': (line) => line.replace(/^Require valid-user$/, 'Require all granted'),
  'everybody is known': (line) => line.replace(/^AuthFormProvider file$/, 'AuthFormProvider file anon'),
  ...Object.fromEntries(
    LEFT_OUT.map((start): [string, Change] => [`without ${start}`, (line) => (line.startsWith(start) ? '' : line)]),
  ),
}

interface Case {
  readonly site: RandomSite
  readonly steps: readonly Step[]
}

const rounds: OracleRounds = {
  seed: Number(options.seed),
  rounds: Number(options.rounds),
  show: Number(options.show),
  plants: PLANTS,
  compare,
}
await (options.plants ? findPlants(rounds) : compareRounds(rounds))

/** @param change of our configuration */
async function compare(seed: number, change: Change, show: number): Promise<Counts> {
  const random = new Random(seed)
  const site = new Site()
  const cases = Array.from({ length: Number(options.count) }, (): Case => {
    const made = randomSite(random)
    const steps = Number(options.steps)
    return { site: made, steps: random.several(steps, steps, () => randomStep(random, made)) }
  })
  fill(site, cases)
  const port = await freePort()
  const running: Running[] = []
  try {
    for (const contestant of contestants(site)) {
      const lines = contestant.name === 'gatewright' ? configuration(cases).map(leadAnywhere).map(change) : configuration(cases)
      running.push(await start(contestant, site, port, lines))
    }
    const answers: (readonly Described[])[][] = []
    for (const [index, one] of cases.entries()) answers.push(await follow(running, port, index, one))
    for (const one of running) await one.stop()
    return report(running, cases, answers, show, seed)
  } finally {
    for (const one of running) await one.stop()
    site.remove()
  }
}

/** Forms of httpd redirect to any host. */
function leadAnywhere(line: string): string {
  return line.replace(/^AuthType form/, '$&\nAuthFormLocationHosts *')
}

/** Each server has a database of its own. */
function contestants(site: Site): readonly Contestant[] {
  const modules = [
    'auth_form',
    'authn_anon',
    'request',
    'session',
    'session_cookie',
    'session_crypto',
    'dbd',
    'session_dbd',
    'asis',
    'reflector',
  ]
  return contestantsWith(modules, ({ name }) => {
    const path = join(site.root, `${name}-data/sessions.db`)
    site.write(`../${name}-data/.keep`, '')
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE session(key TEXT PRIMARY KEY, session TEXT, expiry INTEGER)')
    database.close()
    chmodSync(join(path, '..'), 0o777)
    chmodSync(path, 0o666)
    return ['DBDriver sqlite3', `DBDParams ${path}`]
  })
}

function fill(site: Site, cases: readonly Case[]): void {
  const lines = USERS.map(([name, password]) => `${name}:{SHA}${createHash('sha1').update(password).digest('base64')}`)
  writeFileSync(join(site.root, 'users'), `${lines.join('\n')}\n`)
  for (const index of cases.keys()) {
    for (const name of ['form.html', 'members/page.html', 'members/open/page.html', 'other'])
      site.write(`e${index}/${name}`, `${name}\n`)
    const asis = (name: string, field: string): void =>
      site.write(`e${index}/app/${name}.asis`, `Content-Type: text/plain\n${field}\n\n${name}\n`)
    asis('set', 'X-Replace-Session: a=1&b=two+words%26')
    asis('add', 'X-Replace-Session: c=3&a=')
    asis('clear', 'X-Replace-Session:')
    asis('empty', 'X-Other: 1')
  }
}

function configuration(cases: readonly Case[]): string[] {
  return [
    LOG_BY_REQUEST,
    'LogLevel warn session:info session_cookie:info session_crypto:info session_dbd:info auth_form:info authz_core:info',
    'DBDPrepareSQL "delete from session where key = %s" deletesession',
    'DBDPrepareSQL "update session set session = %s, expiry = %lld, key = %s where key = %s" updatesession',
    'DBDPrepareSQL "insert into session (session, expiry, key) values (%s, %lld, %s)" insertsession',
    'DBDPrepareSQL "select session from session where key = %s and (expiry = 0 or expiry > %lld)" selectsession',
    'Header always set X-User "expr=%{REMOTE_USER}"',
    'Header set X-Session "%{HTTP_SESSION}e"',
    'Header set X-Login "expr=%{HTTP:Authorization}"',
    'Header set X-Cookies "expr=%{HTTP_COOKIE}"',
    ...cases.flatMap(({ site }, index) => site.lines.map((line) => line.replaceAll('@AT@', `/e${index}`))),
  ]
}

/** What a server answered, as it is compared; null if it closed the connection. */
type Described = string | null

/** The cookie of a client; '' without one. */
type Jar = { value: string }

/** Both clients make the steps of a case. */
async function follow(
  running: readonly Running[],
  port: number,
  index: number,
  { site, steps }: Case,
): Promise<(readonly Described[])[]> {
  const jars: readonly Jar[] = running.map(() => ({ value: '' }))
  const answers: (readonly Described[])[] = []
  for (const [number, step] of steps.entries()) {
    if (step.cookies === 'exchanged') [jars[0].value, jars[1].value] = [jars[1].value, jars[0].value]
    if (step.cookies === 'forgotten') for (const jar of jars) jar.value = ''
    answers.push(
      await Promise.all(
        running.map(async ({ contestant: { address } }, which) => {
          const headers: Record<string, string> = { Host: 'oracle.example', 'X-Id': `${index}.${number}`, ...step.headers }
          const cookie = cookieOf(step, jars[which])
          if (cookie !== '') headers['Cookie'] = cookie
          const body = step.body === null ? {} : { body: step.body }
          const answer = await ask({ address, port, path: `/e${index}${step.path}`, method: step.method, headers, ...body })
          if (answer === null) return null
          if (step.cookies !== 'forged') keep(jars[which], answer)
          return described(answer, site)
        }),
      ),
    )
    // What the servers do with a cookie that they cannot read differs on purpose after a login.
    if (step.cookies === 'forged') for (const jar of jars) jar.value = ''
  }
  return answers
}

function cookieOf({ cookies, forged }: Step, { value }: Jar): string {
  if (cookies === 'forged') return `sid=${forged}`
  if (value === '') return 'other=1'
  return cookies === 'twice' ? `sid=${value}; sid=${value}` : `other=1; sid=${value}`
}

/** Keeps the cookie of an answer, by Set-Cookie or Set-Cookie2. */
function keep(jar: Jar, { headers }: Answer): void {
  for (const field of [headers['set-cookie'] ?? [], headers['set-cookie2'] ?? []].flat()) {
    const [, value, attributes] = /^sid=([^;]*)(.*)$/s.exec(field) ?? []
    if (value !== undefined) jar.value = /;Max-Age=0(?:;|$)/.test(attributes) ? '' : value
  }
}

/** Without the address of the server, times, keys, and what is encrypted. */
function described({ status, headers, body }: Answer, { keeping, lines }: RandomSite): string {
  const fields = COMPARED.flatMap((name) => {
    const values = headers[name]
    // httpd sends the cookie of a session in a database twice.
    return values === undefined
      ? []
      : [
          `${name}: ${JSON.stringify([...new Set([values].flat().flatMap((value) => (name === 'set-cookie2' ? value.split(', ') : [value])))])}`,
        ]
  })
  const isOwnPage = headers['content-type']?.endsWith('charset=iso-8859-1') ?? false
  const text = [status, ...fields, isOwnPage ? '' : JSON.stringify(body)].join('; ')
  // A stated difference: how often httpd loads a session whose cookie it removes.
  const once = lines.some((line) => line.endsWith('CookieRemove On'))
    ? text.replace(/no-cache, private(?:, no-cache, private)+/g, 'no-cache, private')
    : text
  const withoutTimes = withoutSessionEnd(once)
  return keeping === 'cookie' ? withoutTimes : withoutTimes.replace(/\bsid=[^;"]+/g, 'sid=...')
}

function report(
  running: readonly Running[],
  cases: readonly Case[],
  answers: readonly (readonly (readonly Described[])[])[],
  show: number,
  seed: number,
): Counts {
  const logs = running.map((one) => loggedByRequest(one.errors()))
  const statuses = new Map<string, number>()
  let failed = 0
  for (const [index, { site, steps }] of cases.entries()) {
    const differences: string[] = []
    for (const [number, step] of steps.entries()) {
      const [theirs, ours] = answers[index][number]
      const status = theirs?.slice(0, 3) ?? 'none'
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const [theirLog, ourLog] = logs.map((log) => (log.get(`${index}.${number}`) ?? []).join('\n                 '))
      if (theirs === ours && theirLog === ourLog) continue
      const rows = theirs === ours ? [`both       ${theirs}`] : [`httpd      ${theirs}`, `gatewright ${ours}`]
      if (theirLog !== ourLog) rows.push(`httpd      ${theirLog}`, `gatewright ${ourLog}`)
      const before = steps.slice(Math.max(0, number - 3), number).map((one) => `(before: ${shown(one)})`)
      differences.push([...before, `${number}. ${shown(step)}`, ...rows].join('\n      '))
    }
    if (differences.length === 0) continue
    if (++failed > show) continue
    const some = differences.slice(0, MOST_SHOWN).map((text) => `  * ${text}`)
    if (differences.length > some.length) some.push(`  and ${differences.length - some.length} more`)
    console.log(`--- e${index}\n    ${site.lines.join('\n    ')}\n${some.join('\n')}`)
  }
  const counted = [...statuses].sort(([a], [b]) => a.localeCompare(b)).map(([status, times]) => `${times} x ${status}`)
  if (show > 0) console.log(`seed ${seed}: ${counted.join(', ')}`)
  return { passed: cases.length - failed, failed }
}

function shown({ cookies, forged, method, path, headers, body }: Step): string {
  return `${cookies}${forged === '' ? '' : ` ${forged}`} ${method} ${path} ${JSON.stringify(headers)} ${body ?? ''}`
}
