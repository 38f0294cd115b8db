import type { HostServices } from '@gatewright/api'
import { keysOf, type ManagedDomain, renews, STATES } from '../domains/managed-domain.ts'
import { periodOf, readCredentials } from '../store/credentials.ts'
import { httpTime, Job } from '../store/job.ts'
import { durationWords, sliceBeforeEnd } from '../time-slice.ts'
import { failureStatus } from './failure-status.ts'
import { notify } from './notify.ts'
import { Renewal, type RenewalParts, type RenewalResult } from './renewal.ts'
import { renewalAdvice } from './renewal-advice.ts'

const DAY = 86_400_000
/** The longest time of a timer of Node. */
const LONGEST_TIMER = 2 ** 31 - 1
/** Problems that another attempt will not solve soon. */
const FRUITLESS: ReadonlySet<string> = new Set([
  'agreementRequired',
  'badCSR',
  'invalidContact',
  'unsupportedContact',
  'malformed',
  'rejectedIdentifier',
  'userActionRequired',
  'externalAccountRequired',
  'unsupportedIdentifier',
  'caa',
])

/**
 * Looks after the certificates of all watched domains, in one of the server's processes (httpd's watchdog
 * `_md_renew_`): obtains them, renews them, and warns of those that expire.
 */
export class Driver {
  readonly #parts: RenewalParts
  readonly #services: HostServices
  readonly #end = new AbortController()
  /** Domains whose new certificates new processes were asked to activate. */
  readonly #announced = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(parts: Omit<RenewalParts, 'signal'>, services: HostServices) {
    this.#parts = { ...parts, signal: this.#end.signal }
    this.#services = services
  }

  /** Begins. @returns the function that ends it */
  start(): () => void {
    const { registry, log } = this.#parts
    const watched = registry.domains.filter((md) => md.watched)
    if (watched.length === 0) {
      log.write(null, 'debug', 'AH10065', 'no managed domain to drive, no watchdog needed.')
      return () => undefined
    }
    for (const md of watched) this.#reset(md)
    log.write(null, 'debug', 'AH10054', `md watchdog start, auto drive ${watched.length} mds`)
    this.#schedule(registry.process.initialDelay, watched)
    return () => {
      clearTimeout(this.#timer)
      this.#end.abort()
      log.write(null, 'debug', 'AH10058', 'md watchdog stopping')
    }
  }

  /**
   * A server that starts again tries again from the beginning after errors. Certificates that the start did not
   * activate stay where they are: new processes would not activate them either.
   */
  #reset(md: ManagedDomain): void {
    const { name, domains } = md
    const { registry, log } = this.#parts
    const job = Job.load(registry.store, name)
    if (job.finished && job.validFrom <= Date.now()) {
      if (keysOf(md).every((spec) => readCredentials(registry.store, 'staging', name, spec) !== undefined)) {
        // The process that obtained them may have died before it asked for new processes.
        if (!registry.hasActivated) return
        this.#announced.add(name)
        log.write(
          null,
          'error',
          '',
          `${name}: new certificates are staged, but could not be activated; see the messages of the start`,
        )
        return
      }
      // httpd calls it a job that claims to have finished without results.
      registry.store.purge('staging', name)
      return
    }
    if (job.errors === 0) return
    const text = `md(${name}): previous drive job showed ${job.errors} errors, purging STAGING area to reset.`
    log.write(null, 'notice', 'AH10064', text)
    registry.store.purge('staging', name)
    for (const domain of domains) registry.store.purge('challenges', domain.replace(/^\*\./, ''))
  }

  #schedule(delay: number, watched: readonly ManagedDomain[]): void {
    const run = (): void => {
      this.#run(watched).catch((error: unknown) => {
        const { registry, log } = this.#parts
        log.write(null, 'error', 'AH10056', `processing: ${error instanceof Error ? error.message : String(error)}`)
        // No error ends the renewal of certificates.
        this.#schedule(registry.process.checkInterval, watched)
      })
    }
    this.#timer = setTimeout(run, Math.min(Math.max(delay, 0), LONGEST_TIMER)).unref()
  }

  async #run(watched: readonly ManagedDomain[]): Promise<void> {
    const { registry, log } = this.#parts
    const { checkInterval } = registry.process
    log.write(null, 'debug', 'AH10055', `md watchdog run, auto drive ${watched.length} mds`)
    let next = Date.now() + checkInterval * (0.5 + Math.random())
    let isReady = false
    for (const md of watched) {
      if (this.#end.signal.aborted) return
      const job = Job.load(registry.store, md.name)
      try {
        if (Date.now() >= job.nextRun) await this.#drive(md, job)
      } catch (error) {
        const text = `${md.name}: ${error instanceof Error ? error.message : String(error)}`
        log.write(null, 'error', 'AH10056', `processing ${text}`)
        job.nextRun = Date.now() + registry.process.retryDelay
      }
      if (job.nextRun > 0) next = Math.min(next, job.nextRun)
      if (!job.finished || !job.notifiedRenewed || job.validFrom > Date.now() || this.#announced.has(md.name)) continue
      this.#announced.add(md.name)
      isReady = true
    }
    if (this.#end.signal.aborted) return
    if (isReady) this.#services.renewProcesses()
    const wait = next - Date.now()
    log.write(null, 'debug', 'AH10107', `next run in ${durationWords(Math.max(wait, 0))}`)
    this.#schedule(wait, watched)
  }

  async #drive(md: ManagedDomain, job: Job): Promise<void> {
    const { registry, log } = this.#parts
    job.nextRun = 0
    if (job.finished && job.notifiedRenewed) return
    if (renews(md)) {
      log.write(null, 'debug', 'AH10052', `md(${md.name}): state=${md.state}, driving`)
      const isDue = job.finished || job.errors > 0 || (await this.#isDue(md, job))
      if (isDue) await this.#renew(md, job)
    }
    if (!job.finished && shouldWarn(md, Date.now())) {
      const problem = await notify(registry.process, job, 'expiring', log)
      if (problem !== undefined) this.#failed(job, { kind: 'failed', problem: '', detail: problem, retryAfter: 0 })
      job.save()
    }
  }

  /** By MDRenewWindow, or earlier when the CA advises it. */
  async #isDue(md: ManagedDomain, job: Job): Promise<boolean> {
    const { log } = this.#parts
    const now = Date.now()
    const renewAt = renewalTime(md, now)
    if (renewAt <= now) {
      log.write(null, 'debug', 'AH10512', `md(${md.name}): need to renew now`)
      return true
    }
    const advice = md.renewByAri ? await renewalAdvice(this.#parts, md) : null
    if (advice === null || advice.at > renewAt) {
      log.write(null, 'debug', 'AH10514', `md(${md.name}): up for configured renewal in ${durationWords(renewAt - now)}`)
      if (renewAt - now < DAY) job.nextRun = renewAt
      return false
    }
    const why = advice.explanation === '' ? '' : `, for explanation see ${advice.explanation}`
    const level = advice.explanation === '' ? 'debug' : 'notice'
    if (advice.at > now) {
      log.write(null, level, 'AH10515', `md(${md.name}): CA advises renew via ARI at ${httpTime(advice.at)}${why}`)
      if (advice.at - now < DAY) job.nextRun = advice.at
      return false
    }
    log.write(null, level, 'AH10517', `md(${md.name}): CA advises renew via ARI now${why}`)
    return true
  }

  async #renew(md: ManagedDomain, job: Job): Promise<void> {
    const { registry, log } = this.#parts
    const veto = await notify(registry.process, job, 'renewing', log)
    if (veto !== undefined) {
      const text = `${md.name}: event-handler for 'renewing' returned 1, preventing renewal to proceed.`
      log.write(null, 'info', 'AH10060', text)
      job.save()
      return
    }
    job.lastRun = Date.now()
    job.note('starting')
    job.save()
    const result = await new Renewal(this.#parts, md, job).run()
    if (this.#end.signal.aborted) return
    if (result.kind === 'done') await this.#finished(md, job, result.readyAt)
    else {
      this.#failed(job, result)
      log.write(null, 'error', 'AH10056', `processing ${md.name}: ${result.detail}`)
      job.note('renewal-error', result.detail, result.problem)
      await notify(registry.process, job, 'errored', log)
      const wait = durationWords(Math.max(job.nextRun - Date.now(), 0))
      log.write(null, 'info', 'AH10057', `${md.name}: encountered error for the ${job.errors}. time, next run in ${wait}`)
    }
    job.save()
  }

  async #finished(md: ManagedDomain, job: Job, readyAt: number): Promise<void> {
    const { registry, log } = this.#parts
    const now = Date.now()
    const text =
      now < readyAt
        ? `The certificate for the managed domain has been renewed successfully and can be used from ${httpTime(readyAt)} on.`
        : `The certificate for the managed domain has been renewed successfully and can be used (valid since ${httpTime(readyAt)}). A graceful server restart now is recommended.`
    job.note('progress', text)
    job.finished = true
    job.validFrom = readyAt
    job.errors = 0
    job.last = { status: 0, 'valid-from': httpTime(readyAt) }
    job.note('finished')
    if (now < readyAt) {
      job.nextRun = readyAt
      return
    }
    const problem = await notify(registry.process, job, 'renewed', log)
    if (problem !== undefined) return this.#failed(job, { kind: 'failed', problem: '', detail: problem, retryAfter: 0 })
    job.notified = true
    job.notifiedRenewed = true
    const done = `The Managed Domain ${md.name} has been setup and changes will be activated on next (graceful) server restart.`
    log.write(null, 'notice', 'AH10059', done)
  }

  /** The next attempt: later after each error, a day later when trying again is of no use, and never before the CA asks for it. */
  #failed(job: Job, { problem, detail, retryAfter }: Extract<RenewalResult, { kind: 'failed' }>): void {
    job.errors++
    const { retryDelay } = this.#parts.registry.process
    const kind = problem.slice(problem.lastIndexOf(':') + 1)
    const delay = FRUITLESS.has(kind) ? DAY : Math.min(retryDelay * 2 ** Math.min(job.errors - 1, 30), DAY)
    job.nextRun = Date.now() + Math.max(delay * (0.5 + Math.random()), retryAfter)
    const { code, text } = failureStatus(problem)
    job.last = { status: code, 'status-description': text, ...(problem !== '' && { problem }), detail }
  }
}

/** When the first of the certificates is to be renewed. */
export function renewalTime(md: ManagedDomain, now: number): number {
  if (md.state === STATES.incomplete) return now
  const times = md.certificates.map((stored) =>
    stored === undefined ? now : sliceBeforeEnd(periodOf(stored.certificate), md.renewWindow).start,
  )
  return Math.min(...times)
}

function shouldWarn(md: ManagedDomain, now: number): boolean {
  if (md.state === STATES.incomplete) return false
  return md.certificates.some(
    (stored) => stored !== undefined && sliceBeforeEnd(periodOf(stored.certificate), md.warnWindow).start <= now,
  )
}
