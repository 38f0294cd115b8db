/**
 * Asks Apache httpd and this server with clients whose certificates are random: good, expired, revoked, for another
 * purpose, with strange names, long chains and all kinds of keys, over TLS 1.2 and 1.3, at hosts with random rules:
 * `node ... oracle-ssl-clients.ts --seed 1 --worlds 4 --clients 100`. Statuses, alerts, SSL_CLIENT_* variables and the
 * codes of the error log are compared. With `--damaged 50`, half of the clients send chains with damaged certificates, and
 * with `--findings 1` the first difference ends the run. A client that is accepted here and refused by httpd is counted apart: it is a hole.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type FileTree, site } from '@gatewright/testing'
import { isMalformed, parseCertificate, readPem } from '@gatewright/x509'
import authBasic from '../../modules/mod_auth_basic/src/index.ts'
import authnCore from '../../modules/mod_authn_core/src/index.ts'
import authnFile from '../../modules/mod_authn_file/src/index.ts'
import authzCore from '../../modules/mod_authz_core/src/index.ts'
import authzUser from '../../modules/mod_authz_user/src/index.ts'
import headers from '../../modules/mod_headers/src/index.ts'
import ssl from '../../modules/mod_ssl/src/index.ts'
import { Random } from '../fixtures/random.ts'
import { type Asked, startHttpd } from '../oracle-ssl-folders/httpd.ts'
import { damaged } from './damaged-chains.ts'
import { makeAuthorities } from './random-authorities.ts'
import { type Client, makeClientKeys, randomClient } from './random-clients.ts'
import { FOLDERS, randomHosts } from './random-hosts.ts'
import { visit } from './visit.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '4' },
    clients: { type: 'string', default: '100' },
    show: { type: 'string', default: '5' },
    damaged: { type: 'string', default: '0' },
    findings: { type: 'string', default: 'Infinity' },
  },
})

/** OpenSSL's words, also for a key that is of another kind than the signature. */
const WRONG_SIGNATURE = /provider signature failure|wrong public key type|bad signature/
const FIXTURES = new URL('../conformance/fixtures/tls/', import.meta.url)
const VARIABLES = [
  'SSL_CLIENT_VERIFY',
  'SSL_CLIENT_S_DN',
  'SSL_CLIENT_I_DN',
  'SSL_CLIENT_M_SERIAL',
  'SSL_CLIENT_M_VERSION',
  'SSL_CLIENT_V_START',
  'SSL_CLIENT_V_END',
  'SSL_CLIENT_A_SIG',
  'SSL_CLIENT_A_KEY',
  'SSL_CLIENT_S_DN_CN',
  'SSL_CLIENT_S_DN_CN_1',
  'SSL_CLIENT_S_DN_O',
  'SSL_CLIENT_SAN_Email_0',
  'SSL_CLIENT_SAN_DNS_1',
  'SSL_CLIENT_SAN_OTHER_msUPN_0',
  'SSL_CLIENT_CERT_RFC4523_CEA',
]
/** Subjects of certificates, and names that they would be if they ended early. */
const USERS = [
  '',
  '/O=Example/CN=Alice',
  '/CN=*.example.test',
  '/CN=alice',
  '/CN=J\\xC3\\xBCrgen Gro\\xC3\\x9F',
  '/CN=first/CN=second/OU=a unit',
]
/** `password`, encrypted. */
const PASSWORD = 'xxj31ZMTZzkVA'
/** Lines about the start, connections as such, and how OpenSSL words its errors. */
const PASSED_OVER = new Set(['AH01964', 'AH01998', 'AH02155', 'AH02006', 'AH02008', 'AH02009', 'AH01992', 'AH02645'])
/** Milliseconds after which what a connection has caused is in the log. */
const LOGGED_AFTER = 15
/** What differs is asked again so many times: an alert may be overtaken by the end of its connection. */
const ATTEMPTS = 4
const CLOSED = 'closed'
/** A stated difference: what OpenSSL's level of security forbids is reported only where nothing after it is wrong. */
const WEAK = /AH02276\(6[78]\)/
const HOLE = 'ACCEPTED HERE ONLY'

function fixture(name: string): string {
  return readFileSync(new URL(name, FIXTURES), 'latin1')
}

async function startOurs(config: string, files: FileTree): Promise<Asked> {
  const modules = [authnCore, authnFile, authBasic, authzCore, authzUser, headers, ssl]
  const server = await site({ modules, config, files })
  return { port: await server.listen(), log: () => server.errors(), stop: () => server.close() }
}

/** What a server does with a client. */
async function behaviour(asked: Asked, client: Client): Promise<string> {
  const before = asked.log().length
  const answer = await visit(asked.port, client)
  await pause(LOGGED_AFTER)
  const lines = asked.log().slice(before)
  // A stated difference: Node ends the connection at a wrong signature of a client's certificate or a list.
  if (answer.startsWith(CLOSED) && lines.some((line) => WRONG_SIGNATURE.test(line))) return CLOSED
  const codes = lines.flatMap((line) => {
    const [code] = /AH\d{5}/.exec(line) ?? []
    const [, error = ''] = /Verification: Error \((\d+)\)/.exec(line) ?? []
    return code === undefined || PASSED_OVER.has(code) ? [] : [`${code}${error && `(${error})`}`]
  })
  // The same where OpenSSL cannot read a part of a certificate.
  if (answer.startsWith(CLOSED) && codes.length === 0 && lines.some((line) => line.includes('SSL Library Error'))) return CLOSED
  return `${answer}\n    log: ${codes.join(' ')}`
}

async function difference(theirs: Asked, ours: Asked, client: Client): Promise<string | null> {
  const seen = new Set<string>()
  const isOdd = hasOddEncoding(client)
  let shown = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [one, other] = [await behaviour(theirs, client), await behaviour(ours, client)]
    const areClosed = one.startsWith(CLOSED) && other.startsWith(CLOSED)
    if (areClosed && (one === CLOSED || other === CLOSED)) return null
    if (other.startsWith(CLOSED) && (isOdd || WEAK.test(one))) return null
    if (one === other || seen.has(`ours ${one}`) || seen.has(`theirs ${other}`)) return null
    seen.add(`theirs ${one}`)
    seen.add(`ours ${other}`)
    const hole = isTrusting(other) && !isTrusting(one) ? `  ${HOLE}\n` : ''
    shown = `${hole}  httpd: ${one}\n  here:  ${other}\n`
  }
  return shown
}

/** A stated difference: certificates that OpenSSL reads although they are no DER are refused. */
function hasOddEncoding({ certificates }: Client): boolean {
  return readPem(certificates ?? '').some(({ der }) => der === undefined || isMalformed(parseCertificate(der)))
}

/** Whether a client got in, or its certificate counts as verified. */
function isTrusting(answer: string): boolean {
  return answer.startsWith('200') && !/X-V0: (NONE|FAILED|\(null\))/.test(answer)
}

interface Compared {
  readonly differences: readonly string[]
  /** Clients that were compared. */
  readonly count: number
}

/** @param findings ends after so many differences */
async function compare(seed: number, findings: number): Promise<Compared> {
  const random = new Random(seed)
  const authorities = makeAuthorities()
  const keys = makeClientKeys()
  const hosts = randomHosts(random, authorities)
  const fields = VARIABLES.map((name, index) => `Header always set X-V${index} "%{${name}}s"`)
  const config = [
    'LogLevel warn ssl:info',
    ...fields,
    'Header always set X-VU "expr=%{REMOTE_USER}"',
    'SSLOptions +ExportCertData',
    'SSLCertificateFile conf/localhost.crt',
    'SSLCertificateKeyFile conf/localhost.key',
    hosts.config,
  ].join('\n')
  const files = {
    ...hosts.files,
    ...Object.fromEntries(FOLDERS.map((folder) => [`docs/${folder}f.txt`, 'x\n'])),
    'conf/users': USERS.map((user) => `${user}:${PASSWORD}\n`).join(''),
    'conf/localhost.crt': fixture('localhost.crt'),
    'conf/localhost.key': fixture('localhost.key'),
  }
  const [theirs, ours] = [await startHttpd(config, files), await startOurs(config, files)]
  const differences: string[] = []
  let count = 0
  try {
    for (let index = 0; index < Number(values.clients) && differences.length < findings; index++) {
      count++
      const sound = randomClient(random, hosts.hosts, authorities, keys)
      const client = random.percent(Number(values.damaged)) ? damaged(random, sound, authorities) : sound
      const text = await difference(theirs, ours, client)
      if (text !== null)
        differences.push(`seed ${seed}, client ${index}: ${client.about}\n${hosts.linesOf(client.host)}\n${text}`)
    }
  } finally {
    await ours.stop()
    await theirs.stop()
  }
  return { differences, count }
}

let passed = 0
let failed = 0
let holes = 0
for (let index = 0; index < Number(values.worlds) && failed < Number(values.findings); index++) {
  const { differences, count } = await compare(Number(values.seed) + index, Number(values.findings) - failed)
  for (const text of differences) if (failed++ < Number(values.show)) console.log(text)
  holes += differences.filter((text) => text.includes(HOLE)).length
  passed += count - differences.length
}
if (failed > 0) console.log(`accepted here only: ${holes}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
