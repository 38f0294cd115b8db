import type { Intent } from '@gatewright/policy'
import { TREE_OVERRIDE } from './tree-rules.ts'
import { ONE_PATH_WANTED, sortWords, type UsageError } from './words.ts'

/** What `gatewright migrate` is asked. */
export interface MigrateRequest {
  /** A configuration file, or a folder with .htaccess files. */
  readonly path: string
  readonly serverRoot: string | null
  readonly defines: readonly string[]
  readonly intent: Intent
  /** What becomes of guards that tell the dialects apart. */
  readonly guards: 'kept' | 'collapsed'
  readonly allowOverride: string
  /** True when mistakes in the old rules are known, and their consequences wanted. */
  readonly acceptsErrors: boolean
  readonly output: { readonly kind: 'diff' | 'json' | 'in place' } | { readonly kind: 'folder'; readonly folder: string }
  /** Requests that a proof decides at most; 0 for no proof. */
  readonly limit: number
  readonly oracle: OracleRequest | null
}

/** An Apache httpd that is to be asked as well. */
export interface OracleRequest {
  /** A path, or a name in PATH. */
  readonly program: string
  readonly modulesFolder: string | null
  /** Classes that are asked about beside a counter-example, at most. */
  readonly sample: number
}

const OPTIONS = {
  root: { type: 'string', short: 'd' },
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
  const [path, ...surplus] = positionals
  if (path === undefined || surplus.length > 0) return { complaint: ONE_PATH_WANTED }
  const { intent = 'exact', limit = String(LIMIT) } = values
  if (intent !== 'exact' && intent !== 'documented') return { complaint: `--intent takes exact or documented, not ${intent}` }
  if (!/^\d{1,9}$/.test(limit)) return { complaint: `--limit takes a number of requests, not ${limit}` }
  const oracle = readOracle(values)
  if (oracle !== null && 'complaint' in oracle) return oracle
  if (oracle !== null && Number(limit) === 0) return { complaint: '--oracle confirms a proof, and --limit 0 wants none' }
  const chosen = [values.diff, values['in-place'], values.output, values.json].filter((one) => one !== undefined)
  if (chosen.length > 1) return { complaint: 'one of --diff, --in-place, --output and --json, not several' }
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
      : { complaint: '--oracle-modules, --oracle-sample and --oracle-all go with --oracle PROGRAM' }
  if (sample !== undefined && all === true) return { complaint: 'one of --oracle-sample and --oracle-all, not both' }
  if (sample !== undefined && !/^\d{1,9}$/.test(sample)) return { complaint: `--oracle-sample takes a number, not ${sample}` }
  return { program: oracle, modulesFolder, sample: all === true ? Number.POSITIVE_INFINITY : Number(sample ?? SAMPLE) }
}

export const MIGRATE_USAGE: string = `Usage: gatewright migrate [OPTION]... PATH

Rewrites a configuration of 2.2 for 2.4, and proves what came of it. PATH is a configuration file, which is read with its includes and
.htaccess files, or a folder with .htaccess files. Comments, order and indentation stay. What has no equivalent stays as it is and is named.

Reading:
  -d, --root DIR           ServerRoot (default: what the configuration says, else the folder above its own)
  -D, --define NAME        as httpd -D
      --allow-override W   what the .htaccess files of a folder may say (default: ${TREE_OVERRIDE})
      --intent exact       the old rules mean what httpd does with them (default)
      --intent documented  they mean what the manual's examples say: Order allow,deny with Deny from all and Allow from somebody lets
                           that somebody in; Satisfy Any without Require leaves the host rules alone, without host rules the Require
      --accept-errors      rewrite rules that gatewright lint calls an error as well: without it they are named, and nothing is written

Writing:
      --collapse           guards that tell 2.2 and 2.4 apart go: the half that is read stays, the other one goes
      --diff               print what would change, as diff -u does (default)
      --in-place           write the files; the old ones are kept with the suffix .2.2~
  -o, --output DIR         write the changed files below DIR, under their own paths
      --json               everything as data

Proof:
      --limit N            requests that are decided at most (default ${LIMIT}); 0 for no proof
      --oracle PROGRAM     ask an Apache httpd 2.4 as well (apache2, httpd, or a path): a counter-example, and some classes that are equal
      --oracle-sample N    that many of those (default ${SAMPLE})
      --oracle-all         all of them
      --oracle-modules DIR where its modules lie, if not where they are usual

The exit status is 0 when old and new are equal on every request that was decided, 1 when one is decided differently or the old rules have
an error that was not accepted, 2 when nothing could be done, 3 when the Apache httpd decides otherwise than the proof says; then nothing
is written.`
