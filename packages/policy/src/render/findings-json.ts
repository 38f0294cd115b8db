import type { Finding } from '../lint/finding.ts'
import { jsonBytes } from './json-bytes.ts'

/** Findings as JSON, an object with `findings`, one character for each byte of it. */
export function findingsJson(findings: readonly Finding[]): string {
  return jsonBytes({ findings })
}
