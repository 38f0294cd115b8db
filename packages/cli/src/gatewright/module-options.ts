import { sortWords, type UsageError } from './words.ts'

/** The options of `gatewright module`. */
export interface ModuleRequest {
  readonly files: readonly string[]
  /** The identifier in a LoadModule line; null for the file's own. */
  readonly name: string | null
  readonly output: 'text' | 'json'
}

const OPTIONS = {
  json: { type: 'boolean' },
  name: { type: 'string', short: 'n' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseModuleOptions(argv: readonly string[]): ModuleRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  if (positionals.length === 0) return { complaint: 'name a module file' }
  return { files: positionals, name: values.name ?? null, output: values.json === true ? 'json' : 'text' }
}

export const MODULE_USAGE: string = `Usage: gatewright module [--json] [-n NAME] FILE...

Shows what a module file contains, and whether this server would load it. The file is not executed: the information is in its first line.

  -n, --name NAME   the identifier in LoadModule, such as greeting_module (default: that of the file)
      --json        print a JSON list with one item for each file

The exit status is 0 if the server would load all files, 1 if it would reject one, 2 if the command line is wrong.`
