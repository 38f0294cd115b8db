/** One option as found on a command line. `problem` is the error in it. */
export type FoundOption =
  | { readonly letter: string; readonly value: string }
  | { readonly letter: string; readonly problem: 'unknown' | 'without argument' }

/** An option with an error in it. */
export type WrongOption = Extract<FoundOption, { problem: string }>

/** getopt's message about a wrong option, such as `htdbm: illegal option -- x`, without a line end. */
export function optionComplaint(program: string, { letter, problem }: WrongOption): string {
  return `${program}: ${problem === 'unknown' ? 'illegal option' : 'option requires an argument'} -- ${letter}`
}

/** The options of a command line, and the words after them; an option with a problem is the last one. */
export interface FoundOptions {
  readonly options: readonly FoundOption[]
  readonly words: readonly string[]
}

/**
 * Parses a command line like getopt: `-tX` is `-t -X`, `-DNAME` is `-D NAME`, and the first word that is not
 * an option, or `--`, ends the options.
 * @param letters known options; those with an argument are followed by a colon
 */
export function getopt(argv: readonly string[], letters: string): FoundOptions {
  const options: FoundOption[] = []
  let index = 0
  while (index < argv.length && /^-./.test(argv[index])) {
    const word = argv[index++]
    if (word === '--') break
    for (let at = 1; at < word.length; at++) {
      const letter = word[at]
      const known = letter === ':' ? -1 : letters.indexOf(letter)
      if (known < 0) return { options: [...options, { letter, problem: 'unknown' }], words: [] }
      if (letters[known + 1] !== ':') {
        options.push({ letter, value: '' })
        continue
      }
      const value = at + 1 < word.length ? word.slice(at + 1) : argv[index++]
      if (value === undefined) return { options: [...options, { letter, problem: 'without argument' }], words: [] }
      options.push({ letter, value })
      break
    }
  }
  return { options, words: argv.slice(index) }
}
