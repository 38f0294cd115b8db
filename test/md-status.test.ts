/** What md-status, certificate-status and server-status say of random managed domains, beside Apache httpd. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Random } from './fixtures/random.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

t.setTimeout(600_000)

const HTTPD_MODULES = '/usr/lib/apache2/modules'
const skip =
  (spawnSync('apache2', ['-v']).status !== 0 || !existsSync(join(HTTPD_MODULES, 'mod_md.so'))) && 'needs apache2 with mod_md'
const CERTIFICATES = join(import.meta.dirname, 'conformance/fixtures/tls')
const [FIRST, COUNT] = [Number(process.env.MD_STATUS_SEED ?? 1), Number(process.env.MD_STATUS_WORLDS ?? 2)]

interface Domain {
  readonly name: string
  readonly lines: readonly string[]
}

t.test('all pages about managed certificates say the same as those of Apache httpd', { skip }, async (t) => {
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const domains = randomDomains(new Random(seed))
    await t.test(`seed ${seed}`, async (t) => {
      const theirs = await pages(t, 'apache2', HTTPD_MODULES, domains)
      const ours = await pages(t, undefined, MODULES, domains)
      for (const [name, page] of Object.entries(theirs)) t.equal(ours[name], page, name)
    })
  }
})

/** Domains that no CA is asked about: nothing that they need can be had, or they are renewed by hand. */
function randomDomains(random: Random): readonly Domain[] {
  const maybe = (share: number, line: () => string): string[] => (random.percent(share) ? [line()] : [])
  return Array.from({ length: 6 }, (_, place): Domain => {
    const stored = random.pick([[], [], ['a'], ['b', 'localhost-ec'], ['localhost']])
    const files = stored.flatMap((name) => [`MDCertificateFile tls/${name}.crt`, `MDCertificateKeyFile tls/${name}.key`])
    const name =
      random.percent(50) && stored[0] !== undefined && stored[0] !== 'localhost' ? `${stored[0]}.test` : `d${place}.test`
    const lines = [
      'MDRenewMode manual',
      ...files,
      ...maybe(30, () => `MDPrivateKeys ${random.pick(['rsa3072', 'secp256r1', 'secp384r1 rsa2048', 'RSA'])}`),
      ...maybe(30, () => `MDRenewWindow ${random.pick(['20%', '3d', '14d'])}`),
      ...maybe(30, () => `MDWarnWindow ${random.pick(['5%', '2d'])}`),
      ...maybe(20, () => `MDMustStaple ${random.pick(['on', 'off'])}`),
      ...maybe(30, () => `MDRequireHttps ${random.pick(['temporary', 'permanent'])}`),
      ...maybe(30, () => `MDContactEmail ${random.pick(['a', 'b'])}@example.test`),
      ...maybe(30, () => `MDCertificateAuthority ${random.pick(['letsencrypt', 'letsencrypt-test', 'https://ca.test/dir'])}`),
      ...maybe(30, () => `MDMembers ${random.pick(['auto', 'manual'])}`),
      ...maybe(20, () => 'MDCAChallenges http-01'),
      ...maybe(20, () => `MDStapling ${random.pick(['on', 'off'])}`),
      ...maybe(20, () => 'MDProfile short'),
    ]
    return { name, lines }
  }).filter(({ name }, place, all) => all.findIndex((other) => other.name === name) === place)
}

/** The pages by name, without what differs by time and place. */
async function pages(
  t: Test,
  program: string | undefined,
  modules: string,
  domains: readonly Domain[],
): Promise<Record<string, string>> {
  const server = await StagedServer.make(t, program)
  mkdirSync(server.path('tls'))
  for (const name of ['a', 'b', 'localhost', 'localhost-ec']) {
    for (const end of ['crt', 'key']) copyFileSync(join(CERTIFICATES, `${name}.${end}`), server.path(`tls/${name}.${end}`))
  }
  const loaded = [...(program === undefined ? ['watchdog'] : ['mpm_event']), 'authz_core', 'ssl', 'md', 'status']
  server.configure(
    // Both have watchdog compiled in.
    ...loaded.filter((name) => name !== 'watchdog').map((name) => `LoadModule ${name}_module ${join(modules, `mod_${name}.so`)}`),
    'MDCertificateAuthority https://127.0.0.1:1/dir',
    'MDCertificateAgreement accepted',
    'MDContactEmail admin@example.test',
    'MDServerStatus on',
    ...domains.map(({ name, lines }) => `<MDomain ${name}>\n${lines.join('\n')}\n</MDomain>`),
    '<Location "/md-status">\nSetHandler md-status\nRequire all granted\n</Location>',
    '<Location "/server-status">\nSetHandler server-status\nRequire all granted\n</Location>',
    `<VirtualHost *:${server.port}>\nServerName plain.test\nSSLEngine on\nSSLCertificateFile tls/localhost.crt\nSSLCertificateKeyFile tls/localhost.key\n</VirtualHost>`,
    ...domains.map(({ name }) => `<VirtualHost *:${server.port}>\nServerName ${name}\nSSLEngine on\n</VirtualHost>`),
  )
  await server.start()
  const found: Record<string, string> = {}
  const get = async (host: string, path: string): Promise<string> => masked(await secureGet(server.port, host, path), server.root)
  found['md-status'] = await get('plain.test', '/md-status')
  const status = await get('plain.test', '/server-status?auto')
  found['server-status?auto'] = status
    .split('\n')
    .filter((line) => line.startsWith('Managed'))
    .join('\n')
  for (const { name } of domains) {
    found[`md-status/${name}`] = await get('plain.test', `/md-status/${name}`)
    found[`certificate-status of ${name}`] = await get(name, '/.httpd/certificate-status')
  }
  await server.stop()
  return found
}

/** The seconds of a renewal that is due, or that will be, depend on when the page was asked for. */
function masked(page: string, root: string): string {
  return page
    .replaceAll(root, '@ROOT@')
    .replace(/("renew-at": ")[^"]*/g, '$1...')
    .replace(/(ActivityRenew: )\d+/g, '$1...')
}

function secureGet(port: number, host: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      servername: host,
      headers: { Host: host },
      rejectUnauthorized: false,
      agent: false,
    }
    const asked = request(options, (answer) => {
      let body = ''
      answer.setEncoding('latin1').on('data', (text: string) => (body += text))
      answer.on('end', () => resolve(`${answer.statusCode} ${body}`))
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })
}
