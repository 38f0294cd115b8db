import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Owner } from '../fixtures/staged-server.ts'
import { AcmeSite } from './acme-site.ts'
import { hasHttpd, takeTurnsWithHttpd } from './beside-httpd.ts'
import { byProxyWithDelay } from './by-proxy.ts'
import { freePorts, startPebble } from './pebble.ts'
import { byAdviceOfTheCa, givesAdvice } from './renewal-info.ts'

/** A way from nothing to a certificate, with what it must look like. */
export interface Story {
  readonly name: string
  readonly about: string
  /** True for those that npm test runs. */
  readonly short: boolean
  tell(t: Owner): Promise<void>
}

const EXTERNAL = { kid: 'kid-1', hmac: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' }
const CHALLENGES = '/.well-known/acme-challenge'

/** All stories. */
export const STORIES: readonly Story[] = [
  {
    name: 'http-01',
    about: 'empty, then a certificate, then a renewed one; half of the nonces are refused',
    short: true,
    tell: fromEmptyToRenewed,
  },
  { name: 'tls-alpn-01', about: 'only port 443 can be reached', short: true, tell: byTls },
  { name: 'dns-01', about: 'a wildcard, proven by a program', short: true, tell: byDns },
  { name: 'external account', about: 'the CA serves its customers only', short: false, tell: withExternalAccount },
  { name: 'failover', about: 'the first CA is down, the second one issues', short: true, tell: byAnotherAuthority },
  { name: 'retry', about: 'the only CA is down, and comes back', short: false, tell: afterWaiting },
  {
    name: 'killed',
    about: 'the process that has obtained a certificate is killed before it is served',
    short: false,
    tell: afterAKill,
  },
  {
    name: 'certbot',
    about: 'certbot --webroot obtains a certificate through this server, which then serves it',
    short: false,
    tell: besideCertbot,
  },
  {
    name: 'delay',
    about: 'by a proxy, a certificate that demands stapling is served after MDActivationDelay',
    short: false,
    tell: byProxyWithDelay,
  },
  ...(givesAdvice()
    ? [
        {
          name: 'advice',
          about: 'a certificate of a profile is renewed when the CA advises it',
          short: false,
          tell: byAdviceOfTheCa,
        },
      ]
    : []),
  ...(hasHttpd()
    ? [
        {
          name: 'httpd',
          about: 'Apache httpd serves what this server has obtained, and the other way round',
          short: false,
          tell: takeTurnsWithHttpd,
        },
      ]
    : []),
]

async function fromEmptyToRenewed(t: Owner): Promise<void> {
  const site = await AcmeSite.make(t, {
    domains: ['a.example.org', 'www.a.example.org'],
    ports: 'http',
    pebble: { badNonces: 50, validity: 60 },
    lines: [
      'WorkerProcesses 2',
      'MDMessageCmd @ROOT@/message',
      'MDRenewWindow 85%',
      'MDCheckInterval 1s',
      'MDRequireHttps permanent',
    ],
    inHosts: [
      '<Location "/">',
      'Require all denied',
      '</Location>',
      '<Location "/md-status">',
      'SetHandler md-status',
      'Require all granted',
      '</Location>',
      '<Location "/index.html">',
      'Require all granted',
      '</Location>',
    ],
  })
  const messages = site.shared('messages')
  site.program('message', `echo "$@" >> ${messages}; id -u >> ${messages}.ids; true`)
  await site.server.start()
  const first = await site.ask('/index.html')
  if (first.status === 503) assert.equal(first.certificate.subject.CN, 'Apache Managed Domain Fallback')

  const { certificate, text } = await site.certified()
  assert.equal(certificate.subjectaltname, 'DNS:a.example.org, DNS:www.a.example.org')
  assert.match(text, /^Strict-Transport-Security: max-age=15768000\r$/im)
  for (const [file, mode] of [
    ['md_store.json', 0o600],
    ['domains/a.example.org', 0o700],
    ['domains/a.example.org/privkey.secp256r1.pem', 0o600],
    ['domains/a.example.org/md.json', 0o600],
    ['accounts/ACME-localhost-0000/account.json', 0o644],
    ['archive/a.example.org.1/md.json', 0o600],
  ] as const) {
    assert.equal(statSync(join(site.store, file)).mode & 0o777, mode, file)
  }
  assert.match(readFileSync(join(site.store, 'accounts/ACME-localhost-0000/account.pem'), 'utf8'), /BEGIN ENCRYPTED PRIVATE KEY/)

  const plain = (path: string): Promise<{ status: number; headers: Readonly<Record<string, unknown>> }> => answerOf(site, path)
  assert.equal((await plain(`${CHALLENGES}/none`)).status, 404, 'a token that does not exist, where a folder is protected')
  assert.equal((await plain('/index.html')).status, 301)
  assert.equal((await plain('/index.html')).headers.location, 'https://a.example.org/index.html')
  const status = JSON.parse(bodyOf((await site.ask('/md-status/a.example.org')).text))
  assert.equal(status.state, 2)
  assert.equal(status.ca.account, 'ACME-localhost-0000')
  assert.ok('ari-cert-id' in status.cert.secp256r1)

  const steady = steadyClient(site)
  const { certificate: renewed } = await site.certified(certificate.serialNumber)
  const { asked, failed } = await steady.stop()
  assert.deepEqual(failed, [], `of ${asked} requests during the renewal`)
  assert.ok(asked > 20)
  assert.equal(renewed.subjectaltname, certificate.subjectaltname)
  const said = readFileSync(messages, 'utf8').split('\n')
  for (const wanted of [
    'renewing a.example.org',
    'challenge-setup:http-01:a.example.org a.example.org',
    'challenge-setup:http-01:www.a.example.org a.example.org',
    'renewed a.example.org',
    'installed a.example.org',
  ]) {
    assert.ok(said.includes(wanted), wanted)
  }
  assertNoKeys(site)
}

async function byTls(t: Owner): Promise<void> {
  const site = await AcmeSite.make(t, {
    domains: ['tls.example.org'],
    ports: 'https',
    lines: ['Protocols http/1.1 acme-tls/1'],
  })
  await site.server.start()
  await site.certified()
  assert.match(errorsOf(site), /Setting up challenge 'tls-alpn-01' for domain tls\.example\.org/)
}

async function byDns(t: Owner): Promise<void> {
  const site = await AcmeSite.make(t, {
    domains: ['*.example.org'],
    ports: 'none',
    lines: ['MDChallengeDns01 @ROOT@/dns', 'MDChallengeDns01Version 2'],
  })
  const calls = site.shared('calls')
  const post = (path: string, body: string): string =>
    `curl -sS --fail -o /dev/null -d '${body}' ${site.pebble.nameServer}/${path}`
  site.program(
    'dns',
    [
      `echo "$@" >> ${calls}`,
      `host="_acme-challenge.$2."`,
      `case $1 in`,
      `setup) ${post('set-txt', '{"host":"\'$host\'","value":"\'$3\'"}')};;`,
      `teardown) ${post('clear-txt', '{"host":"\'$host\'"}')};;`,
      'esac',
    ].join('\n'),
  )
  await site.server.start()
  const { certificate } = await site.certified()
  assert.equal(certificate.subjectaltname, 'DNS:*.example.org')
  const said = readFileSync(calls, 'utf8').trim().split('\n')
  assert.match(said[0], /^setup example\.org [\w-]{43}$/)
  assert.match(said[1], /^teardown example\.org [\w-]{43}$/)
}

async function withExternalAccount(t: Owner): Promise<void> {
  const site = await AcmeSite.make(t, {
    domains: ['eab.example.org'],
    ports: 'http',
    pebble: { externalKeys: { [EXTERNAL.kid]: EXTERNAL.hmac } },
    lines: ['MDExternalAccountBinding @ROOT@/eab.json'],
  })
  site.server.file('eab.json', JSON.stringify(EXTERNAL))
  await site.server.start()
  await site.certified()
  const log = errorsOf(site)
  assert.ok(!log.includes(EXTERNAL.hmac), 'the secret is in no log line')
  assertNoKeys(site)
}

async function byAnotherAuthority(t: Owner): Promise<void> {
  const [dead] = await freePorts(1)
  const site = await AcmeSite.make(t, {
    domains: ['fail.example.org'],
    ports: 'http',
    lines: [`MDCertificateAuthority https://localhost:${dead}/dir @CA@`, 'MDRetryFailover 2', 'MDMessageCmd @ROOT@/message'],
  })
  const messages = site.shared('messages')
  site.program('message', `echo "$@" >> ${messages}`)
  await site.server.start()
  await site.certified()
  assert.match(errorsOf(site), /AH10056: processing fail\.example\.org: Unsuccessful in contacting ACME server/)
  assert.match(readFileSync(messages, 'utf8'), /^errored fail\.example\.org$/m)
  const md = JSON.parse(readFileSync(join(site.store, 'domains/fail.example.org/md.json'), 'utf8'))
  assert.equal(md.ca.url, site.pebble.directory)
}

async function afterWaiting(t: Owner): Promise<void> {
  const site = await AcmeSite.make(t, { domains: ['late.example.org'], ports: 'http' })
  await site.pebble.stop()
  await site.server.start()
  await site.until('two attempts have failed', () => errorsOf(site).split('AH10057').length > 2)
  assert.equal((await site.ask('/index.html')).status, 503)
  const again = await startPebble({
    folder: site.server.path('ca'),
    httpPort: site.httpPort,
    tlsPort: site.httpsPort,
    port: site.pebble.port,
    sameCertificates: true,
  })
  t.teardown(() => again.stop())
  await site.certified()
}

async function afterAKill(t: Owner): Promise<void> {
  const site = await AcmeSite.make(t, { domains: ['killed.example.org'], ports: 'http', lines: ['MDMessageCmd @ROOT@/message'] })
  const once = site.shared('once')
  site.program('message', `if [ "$1" = renewed ] && [ ! -s ${once} ]; then echo killed > ${once}; kill -9 $PPID; fi; true`)
  await site.server.start()
  await site.certified()
  assert.equal(readFileSync(once, 'utf8'), 'killed\n')
}

async function besideCertbot(t: Owner): Promise<void> {
  const name = 'own.example.org'
  const site = await AcmeSite.make(t, {
    domains: [name],
    ports: 'http',
    // certbot gives up after a few.
    pebble: { badNonces: 0 },
    lines: ['MDRenewMode manual'],
  })
  site.server.file(`htdocs${CHALLENGES}/of-certbot`, 'of-certbot.thumbprint')
  await site.server.start()
  assert.equal((await answerOf(site, `${CHALLENGES}/of-certbot`)).status, 200)
  assert.equal((await answerOf(site, `${CHALLENGES}/of-nobody`)).status, 404)
  if (!isInstalled('certbot')) return

  const folder = site.server.path('certbot')
  const options = [
    ...['certonly', '--webroot', '-w', site.server.path('htdocs'), '-d', name, '--server', site.pebble.directory],
    ...['-n', '--agree-tos', '-m', 'admin@example.org', '--key-type', 'ecdsa'],
    ...['--config-dir', folder, '--work-dir', folder, '--logs-dir', folder],
  ]
  const env = { ...process.env, REQUESTS_CA_BUNDLE: site.pebble.authority }
  execFileSync('certbot', options, { env, stdio: 'ignore' })
  const live = join(folder, 'live', name)
  const configuration = site.server
    .read('conf/httpd.conf')
    .replace(
      `MDomain ${name}`,
      [
        `<MDomain ${name}>`,
        `MDCertificateFile ${live}/fullchain.pem`,
        `MDCertificateKeyFile ${live}/privkey.pem`,
        '</MDomain>',
      ].join('\n'),
    )
  site.server.file('conf/httpd.conf', configuration)
  site.server.signal('SIGUSR1')
  const { certificate } = await site.certified()
  assert.equal(
    certificate.raw.toString('base64'),
    new X509Certificate(readFileSync(join(live, 'cert.pem'))).raw.toString('base64'),
  )
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

/** A client that asks again and again, and counts what goes wrong. */
function steadyClient(site: AcmeSite): { stop(): Promise<{ readonly asked: number; readonly failed: readonly string[] }> } {
  let isOver = false
  let asked = 0
  const failed: string[] = []
  const asking = (async () => {
    while (!isOver) {
      asked++
      try {
        const { status } = await site.ask('/index.html')
        if (status !== 200) failed.push(`status ${status}`)
      } catch (error) {
        failed.push(String(error))
      }
      await sleep(5)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await asking
      return { asked, failed }
    },
  }
}

/** A request in the clear to the first name. */
async function answerOf(site: AcmeSite, path: string): Promise<{ status: number; headers: Readonly<Record<string, unknown>> }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: site.httpPort, path, headers: { Host: site.names[0] }, agent: false },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }))
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}

function bodyOf(text: string): string {
  return text.slice(text.indexOf('\r\n\r\n') + 4)
}

function errorsOf(site: AcmeSite): string {
  return site.server.read('logs/error_log')
}

function assertNoKeys(site: AcmeSite): void {
  const log = errorsOf(site)
  assert.ok(!log.includes('PRIVATE KEY') && !/"d":/.test(log), 'no private key is in the log')
}
