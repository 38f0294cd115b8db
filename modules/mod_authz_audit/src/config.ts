import type { Command } from '@gatewright/api'

/** One AuthzAuditLog line. */
export interface AuditLog {
  /** Absolute path of a file, or a program after `|`. */
  readonly target: string
  readonly what: 'all' | 'refusals'
  /** One of so many grants is written. */
  readonly sample: number
}

/** Configuration of a server; `log` is null for `off`. */
export interface AuditConfig {
  log?: AuditLog | null
}

/** Reads the words of AuthzAuditLog. @returns what is wrong with them as a text */
export function readAudit(words: readonly string[], command: Command): AuditLog | null | string {
  const [target = '', ...options] = words
  if (target === '') return 'AuthzAuditLog needs a file, a program after |, or off'
  if (target.toLowerCase() === 'off' && options.length === 0) return null
  let what: AuditLog['what'] = 'all'
  let sample = 1
  for (const option of options) {
    const word = option.toLowerCase()
    const count = /^sample=(\d{1,6})$/.exec(word)?.[1]
    if (word === 'all' || word === 'refusals') what = word
    else if (count !== undefined && Number(count) > 0) sample = Number(count)
    else return `AuthzAuditLog: '${option}' is not all, refusals or sample=NUMBER`
  }
  return { target: target.startsWith('|') ? target : command.serverRelative(target), what, sample }
}
