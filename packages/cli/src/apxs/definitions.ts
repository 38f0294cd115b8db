import { ApxsFailure } from './failure.ts'

/**
 * The replacements of -D in a source: `-D LIMIT=10` a number, `-D GREETING=hello` a text, `-D DEBUG` the
 * number 1, as with C compilers. Numbers, `true`, `false`, `null` and quoted texts are used unchanged.
 */
export function definitions(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value = '1'] = /^([A-Za-z_$][\w$]*)(?:=(.*))?$/s.exec(word) ?? []
      if (name === undefined) throw new ApxsFailure(`-D ${word} defines nothing`, 'write -D NAME or -D NAME=VALUE')
      return [name, isJson(value) ? value : JSON.stringify(value)]
    }),
  )
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return value === null || typeof value !== 'object'
  } catch {
    return false
  }
}
