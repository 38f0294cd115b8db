import type { MigrateRequest } from './migrate-options.ts'
import type { ColourChoice } from './output-palette.ts'
import { TREE_OVERRIDE } from './tree-rules.ts'
import { namedPaths, ONE_PATH_WANTED, sortWords, type UsageError } from './words.ts'

/** The options of `gatewright upgrade-report`. */
export interface UpgradeReportRequest extends Pick<MigrateRequest, 'serverRoot' | 'defines' | 'allowOverride'> {
  /**
   * A configuration file, or a folder with .htaccess files; null for the configuration of this installation.
   */
  readonly path: string | null
  /** A recorded command of configure; null to look for one next to the configuration. */
  readonly niceFile: string | null
  /** Null to detect it. */
  readonly writtenFor: '2.2' | '2.4' | null
  readonly output: 'text' | 'json'
  /** The file for a page; null for none. */
  readonly htmlFile: string | null
  readonly colour: ColourChoice
}

const OPTIONS = {
  root: { type: 'string', short: 'd' },
  file: { type: 'string', short: 'f' },
  define: { type: 'string', short: 'D', multiple: true },
  'allow-override': { type: 'string' },
  'config-nice': { type: 'string' },
  from: { type: 'string' },
  json: { type: 'boolean' },
  html: { type: 'string' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseUpgradeReportOptions(argv: readonly string[]): UpgradeReportRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  const [path = null, ...surplus] = namedPaths(positionals, values.file)
  if (surplus.length > 0) return { complaint: ONE_PATH_WANTED }
  const { from = null, color = 'auto' } = values
  if (from !== null && from !== '2.2' && from !== '2.4') return { complaint: `--from takes 2.2 or 2.4, not ${from}` }
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    return { complaint: `--color takes auto, always or never, not ${color}` }
  return {
    path,
    serverRoot: values.root ?? null,
    defines: values.define ?? [],
    allowOverride: values['allow-override'] ?? TREE_OVERRIDE,
    niceFile: values['config-nice'] ?? null,
    writtenFor: from,
    output: values.json === true ? 'json' : 'text',
    htmlFile: values.html ?? null,
    colour: color,
  }
}

export const UPGRADE_REPORT_USAGE: string = `Usage: gatewright upgrade-report [OPTION]... [PATH]

Reports what a configuration needs before it runs on 2.4: removed and renamed directives, changed defaults that it relies on, modules that are
not provided, access rules in the old dialect. PATH is a configuration file, which is read with its includes and .htaccess files, or a
folder with .htaccess files; the default is the configuration of this installation. Nothing is changed.

Reading:
  -f, --file FILE          the configuration file, another way to write PATH
  -d, --root DIR           ServerRoot (default: as configured, else the parent of the folder of the configuration)
  -D, --define NAME        as httpd -D
      --allow-override W   directives allowed in the .htaccess files of a folder (default: ${TREE_OVERRIDE})
      --from LINE          2.2 or 2.4: the version for which the configuration was written, if the report detects it wrongly
      --config-nice FILE   the options with which httpd was built (default: build/config.nice below the ServerRoot, if it exists)

Output:
      --json               print JSON
      --html FILE          also write a self-contained page
      --color WHEN         auto, always or never

The exit status is 0 if nothing has to be changed, 1 if something does, 2 if the configuration cannot be read.`
