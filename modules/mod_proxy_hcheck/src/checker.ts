import { type ModuleLog, type ProxyMember, proxyWorkerStates } from '@gatewright/api'
import { check } from './check.ts'
import type { CheckSettings } from './check-settings.ts'

/** A check without an answer fails after this time (ms), or after the interval where that is shorter. */
const PATIENCE = 60_000

/** A member and what was found of it in this process. */
export interface CheckedMember {
  readonly member: ProxyMember
  readonly settings: CheckSettings
}

/** Checks members at their intervals. @returns the function that ends this */
export function startChecks(members: readonly CheckedMember[], log: ModuleLog): () => void {
  const timers = members.map((one) => {
    const state = new MemberChecks(one, log)
    return setInterval(() => void state.run(), one.settings.interval)
  })
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}

/** The checks of one member. */
export class MemberChecks {
  readonly #checked: CheckedMember
  readonly #log: ModuleLog
  #isRunning = false
  #passed = 0
  #failed = 0

  constructor(checked: CheckedMember, log: ModuleLog) {
    this.#checked = checked
    this.#log = log
  }

  /** One check, unless the one before has not ended. */
  async run(): Promise<void> {
    const { member, settings } = this.#checked
    if (this.#isRunning || (member.status & proxyWorkerStates.stopped) !== 0) return
    this.#isRunning = true
    try {
      this.#count(await this.#isHealthy(member, settings))
    } finally {
      this.#isRunning = false
    }
  }

  async #isHealthy(member: ProxyMember, settings: CheckSettings): Promise<boolean> {
    const result = await check(member, settings, Math.min(PATIENCE, member.parameters.timeout ?? PATIENCE))
    if ('error' in result) {
      const { code, cause } = result.error
      const protocol = settings.method === 'TCP' || settings.method === 'CPING' ? `HC${settings.method}` : 'HCOH'
      const address = `${member.hostname}:${member.port}`
      if (code === 'refused' || code === 'unreachable' || code === 'connect-timeout' || code === 'resolve') {
        const text = `${protocol}: attempt to connect to ${address} (${address}) failed`
        this.#log.write(null, 'error', 'AH00957', text, cause ?? undefined)
      }
      return false
    }
    const { response } = result
    return response === null || (settings.verdict === null ? isGood(response.status) : settings.verdict(response))
  }

  #count(isHealthy: boolean): void {
    const { member, settings } = this.#checked
    const { failsChecks, inError } = proxyWorkerStates
    if ((member.status & (failsChecks | inError)) !== 0) {
      if (!isHealthy) {
        this.#passed = 0
        return
      }
      if (++this.#passed < settings.passes) return
      this.#passed = 0
      member.mark(failsChecks | inError, false)
      this.#log.write(null, 'info', 'AH03302', `Threaded Health check ENABLING ${member.name}`)
    } else if (!isHealthy) {
      if (++this.#failed < settings.fails) return
      this.#failed = 0
      member.mark(failsChecks, true)
      this.#log.write(null, 'info', 'AH03303', `Threaded Health check DISABLING ${member.name}`)
    } else this.#failed = 0
  }
}

/** What shows a healthy member where hcexpr does not say it. */
function isGood(status: number): boolean {
  return status >= 200 && status < 400
}
