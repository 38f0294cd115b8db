import { type ConfigReport, isShown, isStartupMessage } from '../start/config-report.ts'
import type { SupervisorContext } from './supervisor-context.ts'

/** The names that the server has for itself. */
const SERVER_NAMES: ReadonlySet<string> = new Set(['AH00557', 'AH00558'])

/** Modules whose directives are executed while lines are read. */
const WHILE_READING: ReadonlySet<string> = new Set(['so', 'macro'])

/** Messages without a server, which appear for virtual hosts, too: SSLEngine optional. */
const WITHOUT_SERVER: ReadonlySet<string> = new Set(['AH10510'])

/**
 * Whether the error log of a server begins with a message of its start, which has been printed. httpd reads its
 * configuration a second time, with standard error in the error log; in the background that is closed before
 * most directives are executed. Virtual hosts do not have a log then.
 */
export function isInFirstLog(
  report: ConfigReport,
  { task, isAttached }: Pick<SupervisorContext, 'task' | 'isAttached'>,
): boolean {
  const { module, code } = report
  if (SERVER_NAMES.has(code)) return true
  if (isStartupMessage(report) || !isShown(report, task.startupLevel)) return false
  // An undefined variable.
  if (WHILE_READING.has(module) || code === 'AH00111') return true
  return isAttached && (report.isOfHost !== true || WITHOUT_SERVER.has(code))
}
