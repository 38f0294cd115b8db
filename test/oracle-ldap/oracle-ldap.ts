// npm run oracle:ldap [-- --seed N --count M --visits V --rounds R --show K --plants]: fills a directory with random people and
// groups, serves random sections about them with Apache httpd and Gatewright, sends both the same random logins, a fourth of them
// with hostile names, and reports every difference in status, WWW-Authenticate, user, variables and what is logged. --plants
// changes our configuration in several ways, each of which must be found. Needs apache2, slapd, and a built dist/.
// Ends with a line `N passed, N failed` that counts sections.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hasSlapd, slapd } from '@gatewright/testing'
import { ask } from '../fixtures/ask.ts'
import { freePort } from '../fixtures/free-port.ts'
import { LOG_BY_REQUEST, loggedByRequest } from '../fixtures/logged-by-request.ts'
import { type Change, type Counts, compareRounds, findPlants, type OracleRounds } from '../fixtures/oracle-rounds.ts'
import { Random } from '../fixtures/random.ts'
import { TlsAuthority } from '../fixtures/tls-authority.ts'
import { contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { ACCESS, type RandomDirectory, randomDirectory } from './random-directory.ts'
import { ATTRIBUTES, type Ports, PREFIXES, randomAliases, randomSection } from './random-section.ts'
import { randomVisit, type Visit } from './random-visit.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    visits: { type: 'string', default: '12' },
    rounds: { type: 'string', default: '1' },
    show: { type: 'string', default: '20' },
    plants: { type: 'boolean', default: false },
  },
})

/** Differences of one section that are printed. */
const MOST_SHOWN = 3

/** Changes of our configuration alone, by name: each changes an answer. */
const PLANTS: Readonly<Record<string, Change>> = {
  'groups inside groups are ignored': (line) =>
    line.replace(/^(Require (?:not )?ldap-group .*)/, 'AuthLDAPMaxSubGroupDepth 0\n$1'),
  'filters of URLs are ignored': (line) => line.replace(/^(AuthLDAPURL "ldaps?:[^?]*\?[^?]*\?[^?]*)\?[^"]*/, '$1'),
  'all scopes are sub': (line) => line.replace(/^(AuthLDAPURL "ldaps?:[^?]*\?[^?]*\?)(?:one|base)/, '$1sub'),
  'every bind is authoritative': (line) => line.replace(/^AuthLDAPBindAuthoritative Off/, 'AuthLDAPBindAuthoritative On'),
  'names in groups are DNs': (line) => line.replace(/^AuthLDAPGroupAttributeIsDN Off/, 'AuthLDAPGroupAttributeIsDN On'),
  'the name of the user stays': (line) => line.replace(/^AuthLDAPRemoteUser(?:IsDN On|Attribute .*)/, ''),
  'any attribute grants': (line) => line.replace(/^(Require (?:not )?ldap-attribute) .*/, '$1 objectClass=inetOrgPerson'),
}

/** A section with its requests. */
interface Case {
  readonly lines: readonly string[]
  /** Whether a .htaccess file has the lines. */
  readonly isFile: boolean
  readonly visits: readonly Visit[]
}

if (!hasSlapd()) throw new Error('slapd is missing: apt-get install slapd')
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
  const authority = new TlsAuthority(join(site.root, 'tls'), 'Oracle')
  const files = authority.issue('directory', { hosts: ['localhost', '127.0.0.1'] })
  const world = randomDirectory(random)
  const directory = await slapd({ ldif: world.ldif, lines: ACCESS, tls: { ...files, authorities: authority.certificate } })
  const running: Running[] = []
  try {
    const ports = { plain: directory.port, secure: directory.securePort }
    const aliases = randomAliases(random, world, ports)
    const cases = Array.from({ length: Number(options.count) }, (): Case => makeCase(random, world, ports))
    const port = await freePort()
    for (const contestant of contestantsWith(['ldap', 'authnz_ldap'])) {
      const changed = contestant.name === 'gatewright' ? change : (line: string): string => line
      writeFolders(site, contestant.name, cases, changed)
      running.push(await start(contestant, site, port, configuration(site, contestant.name, authority, aliases, cases, changed)))
    }
    const answers = await visitAll(running, port, cases)
    for (const one of running) await one.stop()
    return report(running, cases, answers, show, seed)
  } finally {
    for (const one of running) await one.stop()
    await directory.close()
    site.remove()
  }
}

function makeCase(random: Random, world: RandomDirectory, ports: Ports): Case {
  const count = Number(options.visits)
  return {
    lines: randomSection(random, world, ports),
    isFile: random.percent(30),
    visits: random.several(count, count, () => randomVisit(random, world)),
  }
}

/** Each server has folders of its own, because their .htaccess files may differ by a plant. */
function writeFolders(site: Site, name: string, cases: readonly Case[], change: Change): void {
  for (const [index, { lines, isFile }] of cases.entries()) site.folder(`${name}/e${index}`, isFile ? lines.map(change) : [])
}

function configuration(
  site: Site,
  name: string,
  authority: TlsAuthority,
  aliases: readonly string[],
  cases: readonly Case[],
  change: Change,
): string[] {
  const variables = PREFIXES.flatMap((prefix) => ATTRIBUTES.map((attribute) => `${prefix}${attribute.toUpperCase()}`))
  return [
    LOG_BY_REQUEST,
    'LogLevel warn authnz_ldap:debug ldap:info authz_core:info auth_basic:info core:info',
    'LimitRequestFieldSize 32000',
    `DocumentRoot ${site.tree}/${name}`,
    `LDAPTrustedGlobalCert CA_BASE64 ${authority.certificate}`,
    'LDAPSharedCacheSize 0',
    'LDAPCacheEntries 0',
    'LDAPOpCacheEntries 0',
    'SetEnvIf X-Flag on flag=1',
    'Header always set X-User "expr=%{REMOTE_USER}"',
    ...variables.map((variable) => `Header always set X-V-${variable.replace('_', '-')} %{${variable}}e env=${variable}`),
    ...aliases.map(change),
    ...cases.flatMap(({ lines, isFile }, index) =>
      isFile ? [] : [`<Location "/e${index}/">`, ...lines.map(change), '</Location>'],
    ),
  ]
}

/** What a server answered, as it is compared; null if it closed the connection. */
type Described = string | null

async function visitAll(
  running: readonly Running[],
  port: number,
  cases: readonly Case[],
): Promise<readonly (readonly (readonly Described[])[])[]> {
  const all: (readonly Described[])[][] = []
  for (const [index, { visits }] of cases.entries()) {
    const answers: (readonly Described[])[] = []
    for (const [number, { method, headers, isNear }] of visits.entries()) {
      const sent = { Host: 'oracle.example', 'X-Id': `${index}.${number}`, ...headers }
      answers.push(
        await Promise.all(
          running.map(async ({ contestant: { address } }) => {
            const question = { address, port, path: `/e${index}/page.html`, method, headers: sent }
            const answer = await ask(isNear ? { ...question, from: '127.0.0.5' } : question)
            return answer === null ? null : described(answer)
          }),
        ),
      )
    }
    all.push(answers)
  }
  return all
}

function described({ status, headers }: { readonly status: number; readonly headers: NodeJS.Dict<string | string[]> }): string {
  const fields = Object.entries(headers)
    .filter(([name]) => name === 'www-authenticate' || name === 'x-user' || name.startsWith('x-v-'))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .sort()
  return [status, ...fields].join('; ')
}

/** Messages about groups inside groups give as the reason what httpd last did with its connection, for another request perhaps. */
function comparable(log: readonly string[]): readonly string[] {
  return log.map((line) => line.replace(/(?<=AH0171[68]: .*(?:failed |match with attr )).*(?=\[\d+ - )/, '... '))
}

/** Where two logs part, with the line before; null if they are the same. */
function firstDifference(theirs: readonly string[], ours: readonly string[]): string | null {
  for (let index = 0; index < Math.max(theirs.length, ours.length); index++) {
    if (theirs[index] === ours[index]) continue
    return [
      `after      ${theirs[index - 1] ?? 'nothing'}`,
      `httpd      logs ${theirs[index] ?? 'nothing more'}`,
      `gatewright logs ${ours[index] ?? 'nothing more'}`,
    ].join('\n      ')
  }
  return null
}

function report(
  running: readonly Running[],
  cases: readonly Case[],
  answers: readonly (readonly (readonly Described[])[])[],
  show: number,
  seed: number,
): Counts {
  const logs = running.map((one) =>
    loggedByRequest(one.errors().map((line) => line.replace('/htdocs/gatewright/', '/htdocs/httpd/'))),
  )
  const statuses = new Map<string, number>()
  let failed = 0
  for (const [index, { lines, isFile, visits }] of cases.entries()) {
    const differences: string[] = []
    for (const [number, { about, method }] of visits.entries()) {
      const [theirs, ours] = answers[index][number]
      const status = theirs?.slice(0, 3) ?? 'none'
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      // Some combinations of requirements end the process of httpd.
      if (theirs === null) continue
      const [theirLog, ourLog] = logs.map((log) => comparable(log.get(`${index}.${number}`) ?? []))
      const logged = firstDifference(theirLog, ourLog)
      if (theirs === ours && logged === null) continue
      const rows = theirs === ours ? [theirs] : [`httpd      ${theirs}`, `gatewright ${ours}`]
      differences.push([`${method} ${about}`, ...rows, ...(logged === null ? [] : [logged])].join('\n      '))
    }
    if (differences.length === 0) continue
    if (++failed > show) continue
    const shown = differences.slice(0, MOST_SHOWN).map((text) => `  * ${text}`)
    if (differences.length > shown.length) shown.push(`  and ${differences.length - shown.length} more`)
    console.log(`--- e${index}${isFile ? ' (.htaccess)' : ''}\n    ${[...lines].join('\n    ')}\n${shown.join('\n')}`)
  }
  const counted = [...statuses].sort(([a], [b]) => a.localeCompare(b)).map(([status, times]) => `${times} x ${status}`)
  if (show > 0) console.log(`seed ${seed}: ${counted.join(', ')}`)
  return { passed: cases.length - failed, failed }
}
