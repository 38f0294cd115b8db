import { setTimeout as pause } from 'node:timers/promises'
import { isRunning } from '../fixtures/processes.ts'
import { until } from '../fixtures/until.ts'
import type { Mix } from '../load/habits.ts'
import { comparedWithLog } from '../load/log-check.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import { DAMAGES, type MemberRules, type Membership, TLS_HOSTS, TlsHosts } from '../load/tls-hosts.ts'
import { type Shaken, TLS_VARIANTS, type TlsVariant, TlsVisitors } from '../load/tls-visitors.ts'
import { check, type Experiment, nothingFailed } from './experiment.ts'

/** As many new connections at a time as there are variants; the others are spread over the variants. */
const TLS_MIX: Mix = {
  closing: TLS_VARIANTS.length,
  busy: 5,
  pausing: 10,
  sleeping: 5,
  pipelining: 3,
  waiting: 4,
  downloading: 3,
  uploading: 3,
}
const RULES: readonly MemberRules[] = [
  { verifyClient: 'require', verifyDepth: 1, trustsOthers: false },
  { verifyClient: 'require', verifyDepth: 1, trustsOthers: true },
  { verifyClient: 'optional', verifyDepth: 2, trustsOthers: true },
  { verifyClient: 'optional', verifyDepth: 1, trustsOthers: false },
  { verifyClient: 'require', verifyDepth: 3, trustsOthers: false },
]
/** Every reload of so many is preceded by one with files that cannot be used. */
const DAMAGE_EVERY = 4
/** Milliseconds between looks at the certificates that are shown. */
const AGAIN = 50
/** Every reload of so many has keys of RSA. */
const RSA_EVERY = 3
/** The clients whose certificate is replaced, and then trusted or not. */
const STRANGER: TlsVariant = { host: 'members.test', version: 'TLSv1.3', resumes: 'nothing' }

/** Reloads the configuration with new certificates on disk, unusable ones between, and other rules for clients' certificates. */
export const certificates: Experiment = {
  name: 'reloads with new certificates',
  async run(owner, times, progress) {
    const parts: { hosts?: TlsHosts; visitors?: TlsVisitors } = {}
    let generation = 0
    const site = await ServerUnderLoad.start(owner, {
      workers: 2,
      mix: TLS_MIX,
      lines: TlsHosts.lines(),
      async prepare(server) {
        parts.hosts = new TlsHosts(server)
        parts.hosts.renew(nameOf(generation), 'ec')
        parts.hosts.configure(RULES[0])
        parts.visitors = await TlsVisitors.make(owner, server.port, parts.hosts, () => generation)
      },
      approaches: () => (client) => visitorsOf(parts).approach(client),
    })
    const visitors = visitorsOf(parts)
    const { hosts } = parts
    if (hosts === undefined) throw new Error('the hosts were not made')
    const { load, server } = site
    let refused = 0
    let undisturbed = 0
    let shownByAll = 0
    let rulesKept = 0
    for (let done = 1; done <= times; done++) {
      if (done % DAMAGE_EVERY === 0) {
        hosts.damage(TLS_HOSTS[done % TLS_HOSTS.length], DAMAGES[(done / DAMAGE_EVERY) % DAMAGES.length])
        const before = refusals(site)
        server.signal('SIGUSR1')
        await until('the reload is refused', () => refusals(site) > before)
        refused++
        if (site.generations() === done && (await allShow(visitors, nameOf(generation)))) undisturbed++
      }
      const rules = RULES[done % RULES.length]
      hosts.renew(nameOf(done), done % RSA_EVERY === 0 ? 'rsa' : 'ec')
      hosts.configure(rules)
      const former = await site.reload('SIGUSR1')
      // The former workers accept connections until the new ones serve.
      while (!(await allShow(visitors, nameOf(done))) && former.some(isRunning)) await pause(AGAIN)
      generation = done
      if (await allShow(visitors, nameOf(done))) shownByAll++
      const isStrangerServed = (await visit(visitors, STRANGER, 'other')) !== null
      if (isStrangerServed === rules.trustsOthers) rulesKept++
      await load.answers(200)
      progress(done, load.report())
    }
    const report = await load.stop()
    const generations = site.generations()
    const ended = await server.stop()
    const { lost, duplicated } = comparedWithLog(site)
    const { handshakes } = visitors
    const resumed = handshakes.filter(({ sessionOf }) => sessionOf !== null)
    const acrossReloads = TLS_VARIANTS.filter((variant) => isResumedAcrossReload(handshakes, variant))
    const resuming = TLS_VARIANTS.filter(({ resumes, host }) => resumes !== 'nothing' && host !== 'members.test')
    return {
      load: report,
      figures: {
        generations,
        'refused reloads between': refused,
        handshakes: handshakes.length,
        'resumed handshakes': resumed.length,
        'handshakes of slow clients': handshakes.filter(({ variant }) => variant.isSlow).length,
        'lines lost': lost.length,
        'lines twice': duplicated.length,
      },
      checks: [
        nothingFailed(report),
        check('each reload makes a generation', generations === times + 1),
        check('after each reload every kind of client sees the new certificate', shownByAll === times),
        check('no full handshake shows a certificate that was replaced before it began', !handshakes.some(isOutdated)),
        check('unusable files leave the former certificates serving', undisturbed === refused),
        check('after each reload the authorities of clients are those of the new configuration', rulesKept === times),
        check(
          'sessions are resumed in each way after a reload',
          resuming.every((variant) => acrossReloads.includes(variant)),
        ),
        check('each answer is in the access log once', lost.length + duplicated.length === 0),
        check('the server ends with status 0 and without a word', ended?.status === 0 && ended.stderr.length === 0),
      ],
    }
  },
}

function visitorsOf({ visitors }: { readonly visitors?: TlsVisitors }): TlsVisitors {
  if (visitors === undefined) throw new Error('the visitors were not made')
  return visitors
}

function nameOf(generation: number): string {
  return `Certificate ${generation}`
}

function numberOf(commonName: string): number {
  return Number(/^Certificate (\d+)$/.exec(commonName)?.[1])
}

function isOutdated({ sessionOf, commonName, begunIn }: Shaken): boolean {
  return sessionOf === null && !(numberOf(commonName) >= begunIn)
}

function isResumedAcrossReload(handshakes: readonly Shaken[], wanted: TlsVariant): boolean {
  return handshakes.some(({ variant, sessionOf, begunIn }) => variant === wanted && sessionOf !== null && sessionOf < begunIn)
}

function refusals(site: ServerUnderLoad): number {
  return site.linesOf('error_log').filter((line) => line.includes('the new configuration cannot be used')).length
}

/** Whether every kind of client that begins anew sees this certificate, and is served. */
async function allShow(visitors: TlsVisitors, commonName: string): Promise<boolean> {
  const shown = await Promise.all(TLS_VARIANTS.map((variant) => visit(visitors, variant, 'member')))
  return shown.every((name) => name === commonName)
}

/** The common name of the certificate that a client sees whose request is answered with 200; null if it is not. */
async function visit(visitors: TlsVisitors, variant: TlsVariant, membership: Membership): Promise<string | null> {
  const socket = visitors.open(variant, membership, {})
  let answer = ''
  let commonName = ''
  socket.on('secureConnect', () => {
    commonName = String(socket.getPeerCertificate().subject.CN)
  })
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1')
  })
  // What matters is that there is no answer.
  socket.on('error', () => undefined)
  socket.write(`GET /small.txt HTTP/1.1\r\nHost: ${variant.host}\r\nConnection: close\r\n\r\n`)
  await new Promise((resolve) => socket.on('end', resolve).on('close', resolve))
  socket.destroy()
  return answer.startsWith('HTTP/1.1 200 ') ? commonName : null
}
