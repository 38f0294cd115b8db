import { getopt, optionComplaint } from '../getopt.ts'

/** The command line of httxt2dbm. */
export interface Httxt2dbmOptions {
  readonly verbose: boolean
  readonly format: string
  /** `-` for standard input. */
  readonly input: string
  readonly output: string
}

/**
 * Parses a command line of httxt2dbm.
 * @param argv bytes, one character each
 * @returns an error message if it is invalid
 */
export function parseHttxt2dbmOptions(argv: readonly string[]): Httxt2dbmOptions | string {
  const values = new Map<string, string>()
  for (const option of getopt(argv, 'vf:i:o:').options) {
    if ('problem' in option) {
      return `${optionComplaint('httxt2dbm', option)}\nError: Parsing Arguments Failed\n\n`
    }
    values.set(option.letter, option.value)
  }
  const [input, output] = [values.get('i'), values.get('o')]
  if (argv.length === 0) return ''
  if (input === undefined) return 'Error: No input file specified.\n\n'
  if (output === undefined) return 'Error: No output DBM specified.\n\n'
  return { verbose: values.has('v'), format: values.get('f') ?? 'default', input, output }
}
