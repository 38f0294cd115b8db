import type { ServerStatus } from '@gatewright/api/status'
import { shortNumber } from './number-format.ts'
import { scoreboard } from './scoreboard.ts'
import { cpuLoad, type Summary } from './summary.ts'
import { statusTime, uptimeWords } from './time-format.ts'

/** The input of the page and of the text form. */
export interface StatusContext {
  readonly status: ServerStatus
  readonly summary: Summary
  /** The server's name according to UseCanonicalName. */
  readonly serverName: string
  readonly banner: string
}

/**
 * The text form (`?auto`) for monitoring programs. Names and order of the keys and the format of numbers are
 * httpd's.
 */
export function autoText({ status, summary, serverName, banner }: StatusContext): string {
  const { uptime } = summary
  const [load1, load5, load15] = status.load
  const lines = [
    serverName,
    `ServerVersion: ${banner}`,
    `ServerMPM: ${status.mpm}`,
    `Server Built: ${status.built}`,
    `CurrentTime: ${statusTime(summary.now)}`,
    `RestartTime: ${statusTime(status.startedAt)}`,
    `ParentServerConfigGeneration: ${status.configGeneration}`,
    `ParentServerMPMGeneration: ${status.mpmGeneration}`,
    `ServerUptimeSeconds: ${uptime}`,
    `ServerUptime:${uptimeWords(uptime)}`,
    `Load1: ${load1.toFixed(2)}`,
    `Load5: ${load5.toFixed(2)}`,
    `Load15: ${load15.toFixed(2)}`,
  ]
  if (status.extended) lines.push(...extendedLines(summary))
  lines.push(
    `BusyWorkers: ${summary.busy}`,
    `GracefulWorkers: ${summary.graceful}`,
    `IdleWorkers: ${summary.idle}`,
    `Processes: ${status.workers.length}`,
    `Stopping: ${summary.stopping}`,
    `ConnsTotal: ${summary.connections}`,
    'ConnsAsyncWaitIO: 0',
    `ConnsAsyncWriting: ${summary.writing}`,
    `ConnsAsyncKeepAlive: ${summary.keepAlive}`,
    `ConnsAsyncClosing: ${summary.closing}`,
    `Scoreboard: ${scoreboard(status)}`,
  )
  return `${lines.join('\n')}\n`
}

function extendedLines(summary: Summary): string[] {
  const { accesses, kilobytes, duration, cpuUser, cpuSystem, uptime } = summary
  const lines = [
    `Total Accesses: ${accesses}`,
    `Total kBytes: ${kilobytes}`,
    `Total Duration: ${duration}`,
    `CPUUser: ${shortNumber(cpuUser)}`,
    `CPUSystem: ${shortNumber(cpuSystem)}`,
    'CPUChildrenUser: 0',
    'CPUChildrenSystem: 0',
  ]
  const load = cpuLoad(summary)
  if (load !== null) lines.push(`CPULoad: ${shortNumber(load)}`)
  lines.push(`Uptime: ${uptime}`)
  if (uptime > 0) {
    lines.push(`ReqPerSec: ${shortNumber(accesses / uptime)}`, `BytesPerSec: ${shortNumber((kilobytes * 1024) / uptime)}`)
  }
  if (accesses > 0) {
    lines.push(
      `BytesPerReq: ${shortNumber((kilobytes * 1024) / accesses)}`,
      `DurationPerReq: ${shortNumber(duration / accesses)}`,
    )
  }
  return lines
}
