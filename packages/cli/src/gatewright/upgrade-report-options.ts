import type { MigrateRequest } from './migrate-options.ts'
import type { ColourChoice } from './output-palette.ts'
import { TREE_OVERRIDE } from './tree-rules.ts'
import { ONE_PATH_WANTED, sortWords, type UsageError } from './words.ts'

/** What `gatewright upgrade-report` is asked. */
export interface UpgradeReportRequest extends Pick<MigrateRequest, 'serverRoot' | 'defines' | 'allowOverride'> {
  /** A configuration file, or a folder with .htaccess files; null for the configuration of this installation. */
  readonly path: string | null
  /** A recorded command of configure; null to look for one beside the configuration. */
  readonly niceFile: string | null
  /** null to find out. */
  readonly writtenFor: '2.2' | '2.4' | null
  readonly output: 'text' | 'json'
  /** Where a page is to be written; null for nowhere. */
  readonly htmlFile: string | null
  readonly colour: ColourChoice
}

const OPTIONS = {
  root: { type: 'string', short: 'd' },
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
  if (positionals.length > 1) return { complaint: ONE_PATH_WANTED }
  const { from = null, color = 'auto' } = values
  if (from !== null && from !== '2.2' && from !== '2.4') return { complaint: `--from takes 2.2 or 2.4, not ${from}` }
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    return { complaint: `--color takes auto, always or never, not ${color}` }
  return {
    path: positionals[0] ?? null,
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

Tells what stands between a configuration and 2.4: removed and renamed directives, changed defaults that it relies on, modules that are
not here, access rules in the old dialect. PATH is a configuration file, which is read with its includes and .htaccess files, or a
folder with .htaccess files; without it, the configuration of this installation. Nothing is changed.

Reading:
  -d, --root DIR           ServerRoot (default: what the configuration says, else the folder above its own)
  -D, --define NAME        as httpd -D
      --allow-override W   what the .htaccess files of a folder may say (default: ${TREE_OVERRIDE})
      --from LINE          2.2 or 2.4: what the configuration was written for, where the report takes it for another
      --config-nice FILE   the options that httpd was built with (default: build/config.nice below the ServerRoot, if it is there)

Output:
      --json               everything as data
      --html FILE          a page besides, which needs nothing else
      --color WHEN         auto, always or never

The exit status is 0 when nothing is to be done, 1 when something is, 2 when the configuration could not be read.`
