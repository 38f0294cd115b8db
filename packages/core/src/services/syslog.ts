import type { LogProgram } from './log-program.ts'

/** True for `syslog`, `syslog:facility` and `syslog:facility:tag`, which only ErrorLog knows. */
export function isSyslog(target: string): boolean {
  return /^syslog(:|$)/i.test(target)
}

/** The facility that the target names; undefined if no such facility exists. */
export function syslogFacility(target: string): string | undefined {
  const [, name = ''] = target.split(':', 2)
  if (name === '') return 'local7'
  const facility = name.toLowerCase()
  return FACILITIES.has(facility) ? facility : undefined
}

/**
 * The program that passes lines to syslog, because Node cannot write to its socket. Each line begins with its
 * severity, such as `<3>`. The limit is that of httpd's lines.
 * @param program name of the server, the tag unless the target has one
 */
export function syslogProgram(target: string, program: string): LogProgram {
  const tag = /^syslog:[^:]*:(.+)$/i.exec(target)?.[1] ?? program
  const args = ['--prio-prefix', '--size', '8192', '-p', `${syslogFacility(target) ?? 'local7'}.notice`, '-t', tag]
  return { target, name: 'logger', file: 'logger', args }
}

const FACILITIES: ReadonlySet<string> = new Set([
  'auth',
  'authpriv',
  'cron',
  'daemon',
  'ftp',
  'kern',
  'lpr',
  'mail',
  'news',
  'syslog',
  'user',
  'uucp',
  ...Array.from({ length: 8 }, (_, number) => `local${number}`),
])
