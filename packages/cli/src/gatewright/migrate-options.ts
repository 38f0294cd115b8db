import type { Intent } from '@gatewright/policy'
import { TREE_OVERRIDE } from './tree-rules.ts'
import { namedPaths, ONE_PATH_WANTED, sortWords, type UsageError } from './words.ts'

/** The options of `gatewright migrate`. */
export interface MigrateRequest {
  /** A configuration file, or a folder with .htaccess files. */
  readonly path: string
  readonly serverRoot: string | null
  readonly defines: readonly string[]
  readonly intent: Intent
  /** How to treat guards that distinguish the dialects. */
  readonly guards: 'kept' | 'collapsed'
  readonly allowOverride: string
  /** True if errors in the old rules are known and their effect is intended. */
  readonly acceptsErrors: boolean
  readonly output: { readonly kind: 'diff' | 'json' | 'in place' } | { readonly kind: 'folder'; readonly folder: string }
  /** Maximum number of requests that a proof decides; 0 for no proof. */
  readonly limit: number
  readonly oracle: OracleRequest | null
}

/** An Apache httpd to confirm the proof. */
export interface OracleRequest {
  /** A path, or a name in PATH. */
  readonly program: string
  readonly modulesFolder: string | null
  /** Maximum number of classes to test in addition to a counter-example. */
  readonly sample: number
}

const OPTIONS = {
  root: { type: 'string', short: 'd' },
  file: { type: 'string', short: 'f' },
  define: { type: 'string', short: 'D', multiple: true },
  'allow-override': { type: 'string' },
  intent: { type: 'string' },
  collapse: { type: 'boolean' },
  'accept-errors': { type: 'boolean' },
  diff: { type: 'boolean' },
  'in-place': { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  json: { type: 'boolean' },
  limit: { type: 'string' },
  oracle: { type: 'string' },
  'oracle-modules': { type: 'string' },
  'oracle-sample': { type: 'string' },
  'oracle-all': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

const LIMIT = 200_000
const SAMPLE = 200

export function parseMigrateOptions(argv: readonly string[]): MigrateRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  const [path, ...surplus] = namedPaths(positionals, values.file)
  if (path === undefined || surplus.length > 0) return { complaint: ONE_PATH_WANTED }
  const { intent = 'exact', limit = String(LIMIT) } = values
  if (intent !== 'exact' && intent !== 'documented') return { complaint: `--intent takes exact or documented, not ${intent}` }
  if (!/^\d{1,9}$/.test(limit)) return { complaint: `--limit takes a number of requests, not ${limit}` }
  const oracle = readOracle(values)
  if (oracle !== null && 'complaint' in oracle) return oracle
  if (oracle !== null && Number(limit) === 0)
    return { complaint: '--oracle confirms a proof, and --limit 0 omits the proof: remove one of them' }
  const chosen = [values.diff, values['in-place'], values.output, values.json].filter((one) => one !== undefined)
  if (chosen.length > 1) return { complaint: 'give only one of --diff, --in-place, --output and --json' }
  return {
    path,
    serverRoot: values.root ?? null,
    defines: values.define ?? [],
    intent,
    guards: values.collapse === true ? 'collapsed' : 'kept',
    allowOverride: values['allow-override'] ?? TREE_OVERRIDE,
    acceptsErrors: values['accept-errors'] === true,
    limit: Number(limit),
    oracle,
    output:
      values.output !== undefined
        ? { kind: 'folder', folder: values.output }
        : { kind: values.json === true ? 'json' : values['in-place'] === true ? 'in place' : 'diff' },
  }
}

function readOracle(values: {
  readonly oracle?: string
  readonly 'oracle-modules'?: string
  readonly 'oracle-sample'?: string
  readonly 'oracle-all'?: boolean
}): OracleRequest | UsageError | null {
  const { oracle, 'oracle-modules': modulesFolder = null, 'oracle-sample': sample, 'oracle-all': all } = values
  if (oracle === undefined)
    return modulesFolder === null && sample === undefined && all === undefined
      ? null
      : { complaint: '--oracle-modules, --oracle-sample and --oracle-all require --oracle PROGRAM' }
  if (sample !== undefined && all === true) return { complaint: 'give only one of --oracle-sample and --oracle-all' }
  if (sample !== undefined && !/^\d{1,9}$/.test(sample)) return { complaint: `--oracle-sample takes a number, not ${sample}` }
  return { program: oracle, modulesFolder, sample: all === true ? Number.POSITIVE_INFINITY : Number(sample ?? SAMPLE) }
}

export const MIGRATE_USAGE: string = `Usage: gatewright migrate [OPTION]... PATH

Rewrites a 2.2 configuration for 2.4, and proves the result. PATH is a configuration file, which is read with its includes and
.htaccess files, or a folder with .htaccess files. Comments, order and indentation are kept. Lines without an equivalent are kept and listed.

Reading:
  -f, --file FILE          the configuration file, another way to write PATH
  -d, --root DIR           ServerRoot (default: as configured, else the parent of the folder of the configuration)
  -D, --define NAME        as httpd -D
      --allow-override W   directives allowed in the .htaccess files of a folder (default: ${TREE_OVERRIDE})
      --intent exact       read the old rules as httpd 2.2 executes them (default)
      --intent documented  read them as in the examples of the manual: Order allow,deny with Deny from all and Allow from CLIENT
                           grants that client; Satisfy Any without Require leaves the host rules, without host rules the Require
      --accept-errors      also rewrite rules that gatewright lint reports as errors; without it they are listed, and nothing is written

Writing:
      --collapse           resolve guards that distinguish 2.2 and 2.4: keep the branch that is read, remove the other
      --diff               print the changes in the form of diff -u (default)
      --in-place           write the files; the old files are kept with the suffix .2.2~
  -o, --output DIR         write the changed files below DIR, under their own paths
      --json               print JSON

Proof:
      --limit N            maximum number of requests to decide (default ${LIMIT}); 0 for no proof
      --oracle PROGRAM     also ask an Apache httpd 2.4 (apache2, httpd, or a path): the counter-example, and some of the equal classes
      --oracle-sample N    number of equal classes to ask about (default ${SAMPLE})
      --oracle-all         ask about all equal classes
      --oracle-modules DIR folder of its modules, if it is not a usual one

The exit status is 0 if old and new decide every request the same way, 1 if they differ on one or the old rules have
an error that was not accepted, 2 if the rewrite could not run, 3 if Apache httpd contradicts the proof; then nothing
is written.`
