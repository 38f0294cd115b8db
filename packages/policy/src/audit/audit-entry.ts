import { isRecord } from '../is-record.ts'

/** A line of the configuration that took part in a decision, and what it said. */
export interface AuditedRule {
  /** `Require ip 10.0.0.0/8` */
  readonly rule: string
  readonly provider: string
  readonly file: string
  readonly line: number
  readonly verdict: string
}

/** A line of the log that AuthzAuditLog writes. */
export interface AuditEntry {
  /** In UTC, as ISO 8601. */
  readonly time: string
  readonly decision: 'granted' | 'refused' | 'failed'
  readonly status: number
  readonly host: string
  readonly path: string
  readonly client: string
  readonly user: string | null
  /** The kind of rule that refused the request; '' if none is named. */
  readonly refusedBy: string
  /** For how many decisions the line stands. */
  readonly weight: number
  readonly rules: readonly AuditedRule[]
}

/** @returns null for a line that AuthzAuditLog has not written, or not whole */
export function readAuditEntry(line: string): AuditEntry | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (!isRecord(value)) return null
  const { time, decision, status, host, path, client, user = null, refusedBy = '', sample = 1, rules } = value
  if (typeof time !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time)) return null
  if (decision !== 'granted' && decision !== 'refused' && decision !== 'failed') return null
  if (typeof status !== 'number' || typeof host !== 'string' || typeof path !== 'string' || typeof client !== 'string')
    return null
  if ((user !== null && typeof user !== 'string') || typeof refusedBy !== 'string') return null
  if (typeof sample !== 'number' || !Number.isInteger(sample) || sample < 1 || !Array.isArray(rules)) return null
  const read = rules.map(readRule)
  const known = read.filter((rule) => rule !== null)
  if (known.length < read.length) return null
  return { time, decision, status, host, path, client, user, refusedBy, weight: sample, rules: known }
}

function readRule(value: unknown): AuditedRule | null {
  if (!isRecord(value)) return null
  const { rule, provider, file, line, verdict } = value
  if (typeof rule !== 'string' || typeof provider !== 'string' || typeof file !== 'string') return null
  return typeof line === 'number' && typeof verdict === 'string' ? { rule, provider, file, line, verdict } : null
}
