import type { ConfigFiles } from './config-files.ts'

/**
 * The written form of a value, which may differ from what was read: it still contains variables and
 * parameters of macros.
 */
export interface Writing {
  readonly text: string
  /** The use of a macro within which it has the value that was read; null if it does everywhere. */
  readonly frame: string | null
}

/** The text with the same meaning in another place. @param read its value */
export function writtenFor(frame: string | null, read: string, writing: Writing | undefined): string {
  return writing === undefined || (writing.frame !== null && writing.frame !== frame) ? read : writing.text
}

/** Variables that have one value from the first line that uses them to the last. */
export class SteadyVariables {
  readonly #changing = new Set<string>()

  constructor(files: ConfigFiles) {
    const defined = new Set<string>()
    for (const { item, parents } of files.items()) {
      if (item.kind !== 'directive' || !/^(?:un)?define$/i.test(item.name)) continue
      const name = item.words[0]?.toLowerCase() ?? ''
      const isRepeated = defined.has(name) || parents.some((parent) => parent.name.toLowerCase() === 'macro')
      if (isRepeated || item.name.toLowerCase() === 'undefine') this.#changing.add(name)
      defined.add(name)
    }
  }

  /** Whether a text has the same meaning everywhere. */
  isSteady(text: string): boolean {
    return [...text.matchAll(/\$\{([^}:]*)\}/g)].every(([, name]) => !this.#changing.has(name.toLowerCase()))
  }
}
