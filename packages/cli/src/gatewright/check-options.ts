import type { Logins } from '@gatewright/policy'
import type { ColourChoice } from './output-palette.ts'
import { TREE_OVERRIDE } from './tree-rules.ts'
import { sortWords, type UsageError } from './words.ts'

/** The options of `gatewright check`. */
export interface CheckRequest {
  /** The subject: a tree of .htaccess files, or a server's configuration. */
  readonly subject:
    | { readonly kind: 'tree'; readonly folder: string; readonly allowOverride: string }
    | { readonly kind: 'server'; readonly configFile: string | null; readonly serverRoot: string | null }
  /** The requested checks. */
  readonly wanted: 'results' | 'matrix' | 'snapshot'
  /** The expectations file, `-` for standard input; null: the one in the tree. */
  readonly expectations: string | null
  readonly defines: readonly string[]
  readonly logins: Logins
  /** null: for people on a terminal, TAP elsewhere. */
  readonly format: CheckFormat | null
  /** A file; null for standard output. */
  readonly output: string | null
  /** Whether each failure is explained in full. */
  readonly explained: boolean
  /** Whether lint's findings are results as well. */
  readonly linted: boolean
  readonly watched: boolean
  readonly colour: ColourChoice
}

const FORMATS = ['human', 'tap', 'junit', 'json'] as const
export type CheckFormat = (typeof FORMATS)[number]

const OPTIONS = {
  expect: { type: 'string' },
  matrix: { type: 'boolean' },
  'write-expectations': { type: 'boolean' },
  'allow-override': { type: 'string' },
  define: { type: 'string', short: 'D', multiple: true },
  logins: { type: 'string' },
  config: { type: 'string', short: 'f' },
  file: { type: 'string' },
  root: { type: 'string', short: 'd' },
  format: { type: 'string' },
  output: { type: 'string', short: 'o' },
  explain: { type: 'boolean' },
  lint: { type: 'boolean' },
  watch: { type: 'boolean' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseCheckOptions(argv: readonly string[]): CheckRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  const [tree, ...surplus] = positionals
  if (surplus.length > 0) return { complaint: `name only one folder: ${surplus[0]} is extra` }
  const config = values.config ?? values.file
  const isServer = config !== undefined || values.root !== undefined
  if (isServer && tree !== undefined) return { complaint: '--config and a folder exclude each other' }
  if (isServer && values['allow-override'] !== undefined)
    return { complaint: '--allow-override requires a folder: a configuration has its own AllowOverride' }
  if (values.matrix === true && values['write-expectations'] === true)
    return { complaint: '--matrix or --write-expectations, not both' }
  const { logins = 'known', format, color = 'auto' } = values
  if (logins !== 'known' && logins !== 'anyone') return { complaint: `--logins takes known or anyone, not ${logins}` }
  const known = FORMATS.find((one) => one === format)
  if (format !== undefined && known === undefined) return { complaint: `--format takes ${FORMATS.join(', ')}, not ${format}` }
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    return { complaint: `--color takes auto, always or never, not ${color}` }
  if (values.watch === true && values.expect === '-')
    return { complaint: '--watch rereads the expectations, which is not possible for standard input' }
  // Writing a report inside the tree would change the tree.
  if (values.watch === true && values.output !== undefined) return { complaint: '--watch and --output exclude each other' }
  return {
    subject: isServer
      ? { kind: 'server', configFile: config ?? null, serverRoot: values.root ?? null }
      : { kind: 'tree', folder: tree ?? '.', allowOverride: values['allow-override'] ?? TREE_OVERRIDE },
    wanted: values.matrix === true ? 'matrix' : values['write-expectations'] === true ? 'snapshot' : 'results',
    expectations: values.expect ?? null,
    defines: values.define ?? [],
    logins,
    format: known ?? null,
    output: values.output ?? null,
    explained: values.explain === true,
    linted: values.lint === true,
    watched: values.watch === true,
    colour: color,
  }
}

export const CHECK_USAGE: string = `Usage: gatewright check [OPTION]... [TREE]

Tests a tree of .htaccess files against expectations. The server's own code answers; no socket is opened. Expectations are
lines such as
  GET /config.php -> 403
  /admin/ from 10.1.2.3 as alice -> 200
in TREE/.htexpect. Without expectations, it requests everything in the tree as each kind of client that the rules distinguish.

What to check (default: the current folder):
      --allow-override W    directives allowed in the .htaccess files (default: ${TREE_OVERRIDE})
  -f, --config FILE         a server configuration instead of a folder; -d, --root DIR sets its ServerRoot
  -D, --define NAME         as httpd -D
      --logins anyone       accept every user, regardless of the password files (default: known)

Expectations:
      --expect FILE         read expectations from FILE; - is standard input
      --matrix              show who can reach what, even if there are expectations
      --write-expectations  print the current answers as expectations
      --lint                also fail if lint finds an open resource that a rule should close

Output:
      --format WORD         human, tap, junit or json (default: human on a terminal, else tap)
  -o, --output FILE         write to a file
      --explain             explain each failure
      --watch               check again whenever a file changes, until Ctrl-C
      --color WHEN          auto, always or never

The exit status is 0 if all answers are as expected, 1 if any is not, 2 if the check could not run.`
