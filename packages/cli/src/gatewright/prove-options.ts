import type { FilesRequest } from './migrate-files.ts'
import { TREE_OVERRIDE } from './tree-rules.ts'
import { sortWords, type UsageError } from './words.ts'

/** The options of `gatewright prove`. */
export interface ProveRequest {
  readonly before: FilesRequest
  readonly after: FilesRequest
  /** Maximum number of requests that are decided. */
  readonly limit: number
  readonly output: 'text' | 'json'
}

const OPTIONS = {
  root: { type: 'string', short: 'd' },
  define: { type: 'string', short: 'D', multiple: true },
  'allow-override': { type: 'string' },
  json: { type: 'boolean' },
  limit: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const LIMIT = 200_000

export function parseProveOptions(argv: readonly string[]): ProveRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  const [before, after, ...surplus] = positionals
  if (after === undefined || surplus.length > 0)
    return { complaint: 'name two configuration files, or two folders with .htaccess files: the old one and the new one' }
  const { limit = String(LIMIT) } = values
  if (!/^[1-9]\d{0,8}$/.test(limit)) return { complaint: `--limit takes a number of requests, not ${limit}` }
  const shared = {
    serverRoot: values.root ?? null,
    defines: values.define ?? [],
    allowOverride: values['allow-override'] ?? TREE_OVERRIDE,
  }
  return {
    before: { path: before, ...shared },
    after: { path: after, ...shared },
    limit: Number(limit),
    output: values.json === true ? 'json' : 'text',
  }
}

export const PROVE_USAGE: string = `Usage: gatewright prove [OPTION]... OLD NEW

Reports whether two configurations decide every request the same way: files of 2.2 or 2.4 with their includes and .htaccess files, or
two folders with .htaccess files. Prints that they are equal, or the most ordinary request that is decided differently.
Directives that 2.4 removed are ignored in both. Nothing is written.

  -d, --root DIR           ServerRoot of both (default: as configured, else the parent of the folder of the configuration)
  -D, --define NAME        as httpd -D
      --allow-override W   directives allowed in the .htaccess files of a folder (default: ${TREE_OVERRIDE})
      --limit N            maximum number of requests to decide (default ${LIMIT})
      --json               print JSON

The exit status is 0 if no request is decided differently, 1 if one is, 2 if a configuration cannot be read.`
