import { createHash } from 'node:crypto'
import { escapeHtml } from '@gatewright/api/text'
import { authorityName } from '../authorities.ts'
import { type ManagedDomain, STATES } from '../domains/managed-domain.ts'
import type { Registry } from '../domains/registry.ts'
import { renewalTime } from '../drive/driver.ts'
import { certificatesOf, periodOf } from '../store/credentials.ts'
import { httpTime, Job } from '../store/job.ts'
import { durationWords } from '../time-slice.ts'

/** The columns of the page. */
const COLUMNS = ['Domain', 'Names', 'Status', 'Valid', 'CA', 'Stapling', 'CheckAt', 'Activity'] as const
const DAY = 86_400_000
/** apr_strerror of what httpd keeps for every failure of a CA. */
const FAILURE = 'Internal error (specific information not available)'

/** The section of server-status (MDServerStatus), as `md_domains_status_hook`; '' when it is off. */
export function statusSection(registry: Registry, form: 'page' | 'auto', now: number): string {
  if (!registry.process.serverStatus) return ''
  const domains = [...registry.domains].sort((one, other) => (one.name < other.name ? -1 : 1))
  return byteText(form === 'page' ? page(registry, domains, now) : lines(registry, domains, now))
}

function page(registry: Registry, domains: readonly ManagedDomain[], now: number): string {
  if (domains.length === 0) return ''
  const head = COLUMNS.map((name) => `<th class="${name}">${name}</th>`).join('')
  const rows = domains.map((md, index) => {
    const cells = [
      escapeHtml(md.name),
      `<div style="max-width:400px;">${md.domains.map(escapeHtml).join(' ')}</div>`,
      escapeHtml(stateOf(md, now)),
      validCell(md, now),
      authoritiesOf(md)
        .map((url) => `<a href='${escapeHtml(url)}'>${escapeHtml(authorityName(url))}</a>`)
        .join(' '),
      md.stapling ? 'on' : '',
      checksOf(registry, md)
        .map(({ name, url, title }) => `<a href="${escapeHtml(url)}">${escapeHtml(`${title}[${name}]`)}</a><br>`)
        .join(''),
      activityCell(registry, md, now),
    ]
    return `<tr class="${index % 2 === 0 ? 'even' : 'odd'}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  return `<hr>\n<h3>Managed Certificates</h3>\n<table class='md_status'><thead><tr>\n${head}</tr>\n</thead><tbody>${rows.join('')}\n</tbody>\n</table>\n`
}

function lines(registry: Registry, domains: readonly ManagedDomain[], now: number): string {
  const jobs = domains.map((md) => ({ md, job: jobOf(registry, md) }))
  const count = (is: (one: (typeof jobs)[number]) => boolean): number => jobs.filter(is).length
  const text = [
    `ManagedCertificatesTotal: ${domains.length}`,
    `ManagedCertificatesOK: ${count(({ md }) => md.state === STATES.complete)}`,
    `ManagedCertificatesRenew: ${count(({ md, job }) => job !== undefined || renewalTime(md, now) <= now)}`,
    `ManagedCertificatesErrored: ${count(({ job }) => (job?.errors ?? 0) > 0)}`,
    `ManagedCertificatesReady: ${count(({ job }) => job?.finished === true)}`,
    ...jobs.flatMap(({ md, job }, index) => domainLines(registry, md, job, now).map((line) => `ManagedDomain[${index}]${line}`)),
  ]
  // No responses of OCSP are fetched yet.
  const staplings = ['Total', 'OK', 'Renew', 'Errored'].map((name) => `ManagedStaplings${name}: 0`)
  return `${[...text, ...staplings].join('\n')}\n`
}

function domainLines(registry: Registry, md: ManagedDomain, job: Job | undefined, now: number): string[] {
  const [certificate] = md.certificates
  const until = certificate === undefined ? [] : [`ValidUntil: ${dateOf(periodOf(certificate.certificate).end)}`]
  return [
    `Domain: ${md.name}`,
    ...md.domains.map((name, index) => `Names[${index}]: ${name}`),
    `Status: ${stateOf(md, now)}`,
    ...until,
    ...authoritiesOf(md).flatMap((url, index) => {
      const number = index === 0 ? '' : String(index)
      return [`CAName${number}: ${authorityName(url)}`, `CAURL${number}: ${url}`]
    }),
    ...(md.stapling ? ['Stapling: on'] : []),
    ...checksOf(registry, md).flatMap(({ name, title, url, fingerprint }) => [
      `CheckAtType: ${name}`,
      `CheckAtName: ${title}`,
      `CheckAtURL: ${url}`,
      `CheckAtFingerprint: ${fingerprint}`,
    ]),
    ...activityLines(registry, md, job, now),
  ]
}

function stateOf({ state, stateText, certificates }: ManagedDomain, now: number): string {
  if (state === STATES.incomplete) return stateText === undefined ? 'incomplete' : `incomplete: ${stateText}`
  if (state === STATES.error) return 'error'
  if (state !== STATES.complete) return 'unknown'
  return certificates.some((one) => one !== undefined && periodOf(one.certificate).end <= now) ? 'expired' : 'good'
}

function validCell({ certificates }: ManagedDomain, now: number): string {
  const periods = certificates.flatMap((one) => (one === undefined ? [] : [periodOf(one.certificate)]))
  if (periods.length === 0) return ''
  const start = Math.max(...periods.map((period) => period.start))
  const end = Math.min(...periods.map((period) => period.end))
  const date = (time: number, title: string): string =>
    `<span title='${title}' style='white-space: nowrap;'>${dateOf(time)}</span>`
  const from = start > now ? `from ${date(start, httpTime(start))} ` : ''
  return `${from}until ${date(end, `${httpTime(start)} - ${httpTime(end)}`)}`
}

/** The CA that issued, or those that are configured. */
function authoritiesOf({ authority, authorities }: ManagedDomain): readonly string[] {
  return authority === undefined ? authorities : [authority]
}

interface Check {
  readonly name: string
  readonly title: string
  readonly url: string
  readonly fingerprint: string
}

function checksOf({ process: { monitorName, monitorUrl } }: Registry, { certificates }: ManagedDomain): readonly Check[] {
  return certificates.flatMap((stored) => {
    if (stored === undefined) return []
    const fingerprint = createHash('sha256').update(stored.certificate.raw).digest('hex')
    return [{ name: stored.name, title: monitorName, url: `${monitorUrl}${fingerprint}`, fingerprint }]
  })
}

function jobOf({ store }: Registry, { name }: ManagedDomain): Job | undefined {
  return store.has('staging', name, 'job.json') ? Job.load(store, name) : undefined
}

function activityCell(registry: Registry, md: ManagedDomain, now: number): string {
  const job = jobOf(registry, md)
  if (job === undefined) {
    const at = renewalTime(md, now)
    return at > now ? `Renew ${timeSpan(at, now)}` : 'Pending'
  }
  const parts: string[] = []
  if (isFailed(job)) parts.push(` Error[${FAILURE}]: ${escapeHtml(lastText(job, 'problem'))}`)
  if (job.finished) parts.push(stagedText(stagedCount(registry, md)))
  else if (lastText(job, 'detail') !== '') parts.push(` ${escapeHtml(lastText(job, 'detail'))}`)
  const line = parts.join('')
  if (job.nextRun > now && !job.finished) return `${line}\nNext run ${timeSpan(job.nextRun, now)}`
  return line === '' ? '' : `${line}\nOngoing...`
}

function activityLines(registry: Registry, md: ManagedDomain, job: Job | undefined, now: number): string[] {
  if (job === undefined) {
    const at = renewalTime(md, now)
    return [at > now ? `ActivityRenew: ${Math.trunc((at - now) / 1000)}` : 'Activity: Pending']
  }
  const detail = lastText(job, 'detail')
  return [
    ...(isFailed(job) ? [`ActivityLastStatus: ${FAILURE}`, `ActivityLastProblem: ${lastText(job, 'problem') || '(null)'}`] : []),
    `ActivityFinished: ${job.finished ? 'yes' : 'no'}`,
    ...(job.finished
      ? [`ActivityNewStaged: ${stagedCount(registry, md)}`]
      : detail === ''
        ? []
        : [`ActivityLastDetail: ${detail}`]),
    ...(job.nextRun > now && !job.finished ? [`ActivityNextRun: ${Math.trunc((job.nextRun - now) / 1000)}`] : []),
  ]
}

function isFailed({ last }: Job): boolean {
  return typeof last?.status === 'number' && last.status !== 0
}

function lastText({ last }: Job, name: string): string {
  const value = last?.[name]
  return typeof value === 'string' ? value : ''
}

function stagedCount({ store }: Registry, md: ManagedDomain): number {
  return certificatesOf(md, store, 'staging').filter((one) => one !== undefined).length
}

function stagedText(count: number): string {
  return count === 0 ? '  finished successfully.' : `  finished, ${count} new certificate${count > 1 ? 's' : ''} staged.`
}

function timeSpan(time: number, now: number): string {
  const wait = Math.abs(time - now)
  if (wait >= 4 * DAY) return `<span title='${httpTime(time)}' style='white-space: nowrap;'>${dateOf(time)}</span>`
  const roughly = `~${durationWords(wait).split(' ').slice(0, 2).join(' ')}`
  return `<span title='${httpTime(time)}'>${time > now ? `in ${roughly}` : `${roughly} ago`}</span>`
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The page is sent byte by byte. */
function byteText(text: string): string {
  return text.replace(/[^\n -~]/g, '?')
}
