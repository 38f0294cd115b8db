import type { Explanation } from '../explanation.ts'
import { jsonBytes } from './json-bytes.ts'

/** An explanation as JSON, one character for each byte of it. */
export function explanationJson(explanation: Explanation): string {
  return jsonBytes(explanation)
}
