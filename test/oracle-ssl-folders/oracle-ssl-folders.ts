/**
 * Asks Apache httpd and this server for folders with random SSLVerifyClient, SSLVerifyDepth, SSLCipherSuite,
 * SSLRequire and so on, with clients that have good and bad certificates, over TLS 1.2 and 1.3:
 * `node ... oracle-ssl-folders.ts --seed 1 --worlds 5 --journeys 200`. Statuses, SSL_CLIENT_VERIFY, users and the
 * codes of the error log are compared. With `--findings 1` the first difference ends the run.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type FileTree, site } from '@gatewright/testing'
import accessCompat from '../../modules/mod_access_compat/src/index.ts'
import authBasic from '../../modules/mod_auth_basic/src/index.ts'
import authnCore from '../../modules/mod_authn_core/src/index.ts'
import authnFile from '../../modules/mod_authn_file/src/index.ts'
import authzCore from '../../modules/mod_authz_core/src/index.ts'
import authzHost from '../../modules/mod_authz_host/src/index.ts'
import authzUser from '../../modules/mod_authz_user/src/index.ts'
import headers from '../../modules/mod_headers/src/index.ts'
import ssl from '../../modules/mod_ssl/src/index.ts'
import { type Asked, startHttpd } from './httpd.ts'
import { type Journey, randomWorld, type World } from './random-world.ts'
import { visit } from './visit.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '5' },
    journeys: { type: 'string', default: '200' },
    show: { type: 'string', default: '5' },
    findings: { type: 'string', default: 'Infinity' },
  },
})

const FIXTURES = new URL('../conformance/fixtures/tls/', import.meta.url)
const ALICE =
  '/C=DE/ST=Bayern/L=Ulm/O=Example/OU=People/OU=Staff/CN=Alice Liddell/GN=Alice/SN=Liddell/title=Dr/initials=AL/description=first/UID=alice/emailAddress=alice@example.test'
const COMMON = `LogLevel warn ssl:info
Header always set X-Verify "%{SSL_CLIENT_VERIFY}s"
Header always set X-User "expr=%{REMOTE_USER}"
SSLCertificateFile conf/localhost.crt
SSLCertificateKeyFile conf/localhost.key
SSLCACertificateFile conf/cas.crt
`
/** Lines about the start, connections as such, and how OpenSSL words its errors. */
const PASSED_OVER = new Set(['AH01964', 'AH01998', 'AH02155', 'AH02006', 'AH02008', 'AH02009', 'AH01992', 'AH02645'])
/** Milliseconds after which what a connection has caused is in the log. */
const LOGGED_AFTER = 15
const LOGGED_LATE = 500
const ATTEMPTS = 3

function fixture(name: string): string {
  return readFileSync(new URL(name, FIXTURES), 'latin1')
}

function filesOf(): FileTree {
  const names = [
    'localhost.crt',
    'localhost.key',
    'cas.crt',
    'ca.crl',
    'cas.crl',
    'intermediate.crl',
    'expired.crl',
    'other-ca.crl',
  ]
  const documents = Array.from({ length: 8 }, (_, index): [string, string] => [`docs/f${index}/f.txt`, 'x\n'])
  return {
    ...Object.fromEntries(names.map((name) => [`conf/${name}`, fixture(name)])),
    ...Object.fromEntries(documents),
    'conf/users': `${ALICE}:xxj31ZMTZzkVA\n`,
  }
}

async function startOurs(config: string, files: FileTree): Promise<Asked> {
  const modules = [authnCore, authnFile, authBasic, authzCore, authzHost, authzUser, accessCompat, headers, ssl]
  const server = await site({ modules, config, files })
  return { port: await server.listen(), log: () => server.errors(), stop: () => server.close() }
}

/** What a server does with a journey, as one text for each part that can differ. */
async function behaviour(asked: Asked, journey: Journey): Promise<string> {
  const before = asked.log().length
  const answers = await visit(asked.port, journey, fixture)
  await new Promise((resolve) => setTimeout(resolve, LOGGED_AFTER))
  const codes = asked
    .log()
    .slice(before)
    .flatMap((line) => {
      const [code] = /AH\d{5}/.exec(line) ?? []
      const [, error = ''] = /Verification: Error \((\d+)\)/.exec(line) ?? []
      return code === undefined || PASSED_OVER.has(code) ? [] : [`${code}${error && `(${error})`}`]
    })
  const texts = answers.map(
    ({ status, verified, user }) => `${status || 'closed'} ${verified.replace(/FAILED:.*/, 'FAILED')} ${user}`,
  )
  return `${texts.join(' | ')} ; ${codes.join(' ')}`
}

/** What both servers do. A difference is looked at again: on a busy machine, lines of the log come late. */
async function behaviours(theirs: Asked, ours: Asked, journey: Journey): Promise<readonly [string, string]> {
  let [one, other] = ['', '']
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    one = await behaviour(theirs, journey)
    other = await behaviour(ours, journey)
    if (one === other) break
    await new Promise((resolve) => setTimeout(resolve, LOGGED_LATE))
  }
  return [one, other]
}

/** The journeys in which both servers should do the same. */
function compared(world: World): readonly Journey[] {
  return world.journeys.filter((journey) => !world.isDeliberate(journey))
}

interface Compared {
  readonly differences: readonly string[]
  /** Journeys that were compared. */
  readonly count: number
}

/** @param findings ends after so many differences */
async function compare(world: World, findings: number): Promise<Compared> {
  const files = filesOf()
  const config = `${COMMON}${world.config}`
  const [theirs, ours] = [await startHttpd(config, files), await startOurs(config, files)]
  const differences: string[] = []
  let count = 0
  try {
    for (const journey of compared(world)) {
      if (differences.length >= findings) break
      count++
      const [one, other] = await behaviours(theirs, ours, journey)
      if (one === other) continue
      const { certificate, version, ciphers } = journey.visitor
      const visits = journey.visits.map(({ folder, length }) => `${folder} (${length} bytes)`).join(', ')
      const lines = [...new Set(journey.visits.map(({ folder }) => folder))].map((folder) => world.linesOf(journey.host, folder))
      differences.push(
        `seed ${world.seed}, ${journey.host} ${visits}: ${certificate ?? 'nobody'} ${version} ${ciphers}\n  httpd: ${one}\n  here:  ${other}\n${lines.join('\n')}\n`,
      )
    }
  } finally {
    await ours.stop()
    await theirs.stop()
  }
  return { differences, count }
}

let passed = 0
let failed = 0
for (let index = 0; index < Number(values.worlds) && failed < Number(values.findings); index++) {
  const world = randomWorld(Number(values.seed) + index, Number(values.journeys))
  const { differences, count } = await compare(world, Number(values.findings) - failed)
  for (const text of differences) {
    if (failed++ < Number(values.show)) console.log(text)
  }
  passed += count - differences.length
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
