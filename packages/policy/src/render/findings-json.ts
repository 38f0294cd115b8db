import type { Finding } from '../finding.ts'
import { byteJson } from './byte-json.ts'

/** Findings as JSON, an object with `findings`, one character for each byte of it. */
export function findingsJson(findings: readonly Finding[]): string {
  return byteJson({ findings })
}
