import { sortWords, type UsageError } from './words.ts'

/** What `gatewright module` is asked. */
export interface ModuleRequest {
  readonly files: readonly string[]
  /** The identifier that a LoadModule line would ask for; null for the file's own. */
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
  if (positionals.length === 0) return { complaint: 'name the file of a module' }
  return { files: positionals, name: values.name ?? null, output: values.json === true ? 'json' : 'text' }
}

export const MODULE_USAGE: string = `Usage: gatewright module [--json] [-n NAME] FILE...

What a module's file holds, and whether this server would load it. Nothing of the file is run: what is told stands in its first line.

  -n, --name NAME   the identifier that LoadModule would ask for, greeting_module say; otherwise the file's own
      --json        the same as data, a list with one item for each file

Exit status: 0 when all would be loaded, 1 when one would be refused, 2 for a mistake in the command line.`
