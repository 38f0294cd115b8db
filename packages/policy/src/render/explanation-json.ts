import type { Explanation } from '../explanation.ts'
import { byteJson } from './byte-json.ts'

/** An explanation as JSON, one character for each byte of it. */
export function explanationJson(explanation: Explanation): string {
  return byteJson(explanation)
}
