import type { ModuleLog } from '@gatewright/api'
import { run } from '../command-line.ts'
import type { ProcessSettings } from '../settings.ts'
import type { Job } from '../store/job.ts'

const HOUR = 3_600_000
/** The shortest time between two messages of a kind about a domain. */
const INTERVALS: Readonly<Record<string, number>> = {
  renewing: HOUR,
  renewed: 24 * HOUR,
  installed: 24 * HOUR,
  expiring: 24 * HOUR,
  errored: HOUR,
}

/**
 * Runs the programs of the operator: MDNotifyCmd for renewed certificates, MDMessageCmd for every event.
 * @returns the error text when a program fails
 */
export async function notify(
  { notifyCommand, messageCommand }: Readonly<ProcessSettings>,
  job: Job,
  reason: string,
  log: ModuleLog,
): Promise<string | undefined> {
  const last = job.latest(`message-${reason}`)
  const interval = INTERVALS[reason] ?? 0
  if (interval > 0 && last > 0 && Date.now() - last < interval) {
    log.write(null, 'debug', 'AH10267', `${job.name}: rate limiting notification about '${reason}'`)
    return undefined
  }
  if (reason === 'renewed' && notifyCommand !== undefined) {
    const status = await run(notifyCommand, [job.name])
    if (status !== 0) {
      const text = `MDNotifyCmd ${notifyCommand.text} failed with exit code ${status}.`
      log.write(null, 'error', 'AH10108', text)
      job.note('notify-error', text)
      return text
    }
  }
  if (messageCommand !== undefined) {
    const status = await run(messageCommand, [reason, job.name])
    if (status !== 0) {
      const text = `MDMessageCmd ${messageCommand.text} failed with exit code ${status}.`
      log.write(null, 'error', 'AH10109', text)
      job.note('message-error', text, reason)
      return text
    }
  }
  job.note(`message-${reason}`)
  return undefined
}
