import { splitWords } from '@gatewright/config'
import type { LinePlace } from './line-places.ts'
import type { SteadyVariables, Writing } from './writing.ts'

/** A word behind `from`. */
export interface HostWord {
  /** What was read: several words where a variable holds several. */
  readonly values: readonly string[]
  readonly writing?: Writing
}

/** The words of a line, each as it was read and as it is written. @param text what was read behind the directive's name */
export function hostWords(text: string, { item, frame }: LinePlace, variables: SteadyVariables): HostWord[] {
  const read = splitWords(text).slice(1)
  const raw = splitWords(item.text).slice(1)
  const writing = (word: string): Writing | undefined => (variables.isSteady(word) ? { text: word, frame } : undefined)
  if (raw.length === 1 && read.length > 1) return [{ values: read, writing: writing(raw[0]) }]
  const isVaried = (word: string): boolean => frame !== null || word.includes('${')
  if (raw.length !== read.length || raw.some((word, index) => word !== read[index] && !isVaried(word)))
    return read.map((word) => ({ values: [word] }))
  return read.map((word, index) => (raw[index] === word ? { values: [word] } : { values: [word], writing: writing(raw[index]) }))
}
