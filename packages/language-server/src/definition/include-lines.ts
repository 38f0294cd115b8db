import { isAbsolute, resolve } from 'node:path'
import { wordAt } from '../documents/line-words.ts'
import { expanded, type KnownFile, type Target } from './define.ts'
import { includedFiles } from './included-files.ts'

/** The line of an Include, and what its path is resolved with. */
export interface AskedInclude {
  readonly text: string
  readonly character: number
  readonly serverRoot: string
  readonly defines: Readonly<Record<string, string>>
  /** The files of the configuration. */
  readonly files: readonly KnownFile[]
}

/** All lines of the configuration that include one of the files that the line at a position includes. */
export function includeLines({ text, character, serverRoot, defines, files }: AskedInclude): Target[] {
  const at = wordAt(text, character)
  if (at === null || at.index === 0 || !INCLUDE.test(text.trim().split(/\s/, 1)[0])) return []
  const included = (word: string): readonly string[] => {
    const path = expanded(word, defines)
    return path === null || /[\0\r\n]/.test(path) ? [] : includedFiles(isAbsolute(path) ? path : resolve(serverRoot, path))
  }
  const wanted = new Set(included(at.word))
  return files.flatMap(({ path, outline }) =>
    outline.lines
      .filter(
        ({ name, argument }) =>
          INCLUDE.test(name) && included(argument.replace(/^["']|["']$/g, '')).some((file) => wanted.has(file)),
      )
      .map(({ line }) => ({ path, line })),
  )
}

const INCLUDE = /^include(?:optional)?$/i
