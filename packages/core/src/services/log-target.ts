import type { DestinationRegistry, LogDestination } from '@gatewright/log'

/** A target of a kind that cannot be written to yet. A file of its name would be found by nobody. */
export class UnsupportedTarget extends Error {
  override readonly name = 'UnsupportedTarget'
  readonly path: string

  constructor(target: string) {
    super('logs can be written to files, /dev/stdout and /dev/stderr; there are no log programs and no syslog yet')
    this.path = target
  }
}

/** True for `|program`. */
export function isProgram(target: string): boolean {
  return target.startsWith('|')
}

/** True for `syslog` and `syslog:facility`, which only ErrorLog knows. */
export function isSyslog(target: string): boolean {
  return /^syslog(:|$)/i.test(target)
}

/** @param target an absolute path, or what is none. @throws UnsupportedTarget, or the system's error */
export function openTarget(registry: DestinationRegistry, target: string): LogDestination {
  if (isProgram(target) || isSyslog(target)) throw new UnsupportedTarget(target)
  if (target === '/dev/stdout') return registry.descriptor(1)
  if (target === '/dev/stderr') return registry.descriptor(2)
  return registry.file(target)
}
