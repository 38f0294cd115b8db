import { splitWords } from '@gatewright/config'
import type { LinePlace } from './line-places.ts'
import type { SteadyVariables, Writing } from './writing.ts'

/** A word after `from`. */
export interface HostWord {
  /** The value that was read: several words if a variable contains several. */
  readonly values: readonly string[]
  readonly writing?: Writing
}

/**
 * The words of a line, each as read and as written.
 * @param text the text that was read after the directive's name
 */
export function hostWords(text: string, { item, frame }: LinePlace, variables: SteadyVariables): HostWord[] {
  const read = splitWords(text).slice(1)
  const raw = splitWords(item.text).slice(1)
  const writing = (word: string): Writing | undefined => (variables.isSteady(word) ? { text: word, frame } : undefined)
  const isVaried = (word: string): boolean => frame !== null || word.includes('${')
  if (raw.length === read.length && raw.every((word, index) => word === read[index] || isVaried(word)))
    return read.map((word, index) =>
      raw[index] === word ? { values: [word] } : { values: [word], writing: writing(raw[index]) },
    )
  const several = raw.findIndex((word, index) => word !== read[index])
  const afterwards = raw.length - several - 1
  const isOnlyOne =
    several >= 0 && isVaried(raw[several]) && raw.slice(several + 1).every((word, index) => word === read.at(index - afterwards))
  if (!isOnlyOne || read.length <= raw.length) return read.map((word) => ({ values: [word] }))
  const plain = (word: string): HostWord => ({ values: [word] })
  return [
    ...raw.slice(0, several).map(plain),
    { values: read.slice(several, read.length - afterwards), writing: writing(raw[several]) },
    ...raw.slice(several + 1).map(plain),
  ]
}
