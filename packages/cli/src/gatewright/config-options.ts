import { sortWords, type UsageError } from './words.ts'

/** The options of `gatewright config`. */
export type ConfigRequest =
  /** Converts the named files, or all files of a server's configuration, to data. */
  | {
      readonly kind: 'json'
      readonly files: readonly string[]
      readonly serverRoot: string | null
      readonly configFile: string | null
      readonly defines: readonly string[]
    }
  /** Converts data back to files: to standard output if there is one file and no folder. */
  | { readonly kind: 'text'; readonly input: string | null; readonly output: string | null; readonly inPlace: boolean }

const OPTIONS = {
  json: { type: 'boolean' },
  text: { type: 'boolean' },
  root: { type: 'string', short: 'd' },
  file: { type: 'string', short: 'f' },
  define: { type: 'string', short: 'D', multiple: true },
  output: { type: 'string', short: 'o' },
  'in-place': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseConfigOptions(argv: readonly string[]): ConfigRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  if ((values.json === true) === (values.text === true)) return { complaint: 'give either --json or --text' }
  if (values.json === true) {
    if (values.output !== undefined || values['in-place'] === true) return { complaint: '--output and --in-place require --text' }
    if (positionals.length > 0 && (values.root !== undefined || values.file !== undefined))
      return { complaint: 'name files, or a configuration with -d and -f, not both' }
    return {
      kind: 'json',
      files: positionals,
      serverRoot: values.root ?? null,
      configFile: values.file ?? null,
      defines: values.define ?? [],
    }
  }
  const [input, ...surplus] = positionals
  if (surplus.length > 0) return { complaint: '--text takes one file of data, or reads standard input' }
  if (values.output !== undefined && values['in-place'] === true) return { complaint: '--output or --in-place, not both' }
  return { kind: 'text', input: input ?? null, output: values.output ?? null, inPlace: values['in-place'] === true }
}

export const CONFIG_USAGE: string = `Usage: gatewright config --json [FILE]...
       gatewright config --json [-d DIR] [-f FILE] [-D NAME]...
       gatewright config --text [--output DIR | --in-place] [DATA.json]

Converts configuration files to data, and data back to text, byte for byte.

--json prints the named files, or every file of the configuration including its includes, as a tree: directives, sections,
comments and blank lines, each with its lines and its exact bytes ("raw"). --text reads such data, from a file or standard input, and
writes the text: "raw" unchanged; an item without "raw" is generated from its name and "words" or "text".

      --output DIR   write the files below DIR, under their own paths
      --in-place     write each file to its original path; the old file is kept with the suffix ~`
