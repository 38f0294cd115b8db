import { FILE_CASES } from './file-cases.ts'
import { LINE_CASES } from './line-cases.ts'
import { MACRO_CASES } from './macro-cases.ts'
import { placeCases } from './place-cases.ts'

const all: readonly (readonly string[])[] = [...LINE_CASES.map((line) => [line]), ...placeCases(), ...FILE_CASES, ...MACRO_CASES]

/** All compared cases, each once: a configuration's lines by their text. */
export const CASES: ReadonlyMap<string, readonly string[]> = new Map(all.map((lines) => [lines.join('\n'), lines]))
