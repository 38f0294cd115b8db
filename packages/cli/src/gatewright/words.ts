import { type ParseArgsConfig, parseArgs } from 'node:util'
import { print } from '../startup-output.ts'

/** The error in a command line. */
export interface UsageError {
  readonly complaint: string
}

/** The complaint of verbs that require exactly one configuration. */
export const ONE_PATH_WANTED = 'name one configuration file, or one folder with .htaccess files'

type Options = NonNullable<ParseArgsConfig['options']>
type Words<O extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>>

/** The words of a verb's command line, sorted by its options. */
export function sortWords<const O extends Options>(argv: readonly string[], options: O): Words<O> | UsageError {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    return { complaint: error instanceof Error ? error.message : String(error) }
  }
}

/** What a command line names: the words without option, and the file of -f. */
export function namedPaths(positionals: readonly string[], file: string | undefined): readonly string[] {
  return file === undefined ? positionals : [...positionals, file]
}

/**
 * Prints the usage instead of executing a verb, after the complaint if there is one.
 * @returns the exit status
 */
export function printUsage(verb: string, asked: 'help' | UsageError, usage: string): number {
  if (asked === 'help') {
    print(1, usage)
    return 0
  }
  print(2, `gatewright ${verb}: ${asked.complaint}\n\n${usage}`)
  return 2
}
