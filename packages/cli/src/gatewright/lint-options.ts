import { RULES, type Rule } from '@gatewright/policy'
import { TREE_OVERRIDE } from './tree-rules.ts'
import { ONE_PATH_WANTED, sortWords, type UsageError } from './words.ts'

/** What `gatewright lint` is asked. */
export interface LintRequest {
  /** A configuration file, a folder with .htaccess files, or null for the configuration of the installation. */
  readonly path: string | null
  readonly serverRoot: string | null
  readonly defines: readonly string[]
  readonly allowOverride: string
  readonly rules: readonly Rule[]
  readonly output: 'text' | 'json'
}

const OPTIONS = {
  root: { type: 'string', short: 'd' },
  define: { type: 'string', short: 'D', multiple: true },
  'allow-override': { type: 'string' },
  rule: { type: 'string', multiple: true },
  ignore: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseLintOptions(argv: readonly string[]): LintRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  if (positionals.length > 1) return { complaint: ONE_PATH_WANTED }
  const wanted = (values.rule ?? []).map((id) => id.toUpperCase())
  const ignored = (values.ignore ?? []).map((id) => id.toUpperCase())
  const unknown = [...wanted, ...ignored].find((id) => !RULES.some((rule) => rule.id === id))
  if (unknown !== undefined) return { complaint: `no such rule: ${unknown}; gatewright lint --help names them` }
  return {
    path: positionals[0] ?? null,
    serverRoot: values.root ?? null,
    defines: values.define ?? [],
    allowOverride: values['allow-override'] ?? TREE_OVERRIDE,
    rules: RULES.filter(({ id }) => (wanted.length === 0 || wanted.includes(id)) && !ignored.includes(id)),
    output: values.json === true ? 'json' : 'text',
  }
}

export const LINT_USAGE: string = `Usage: gatewright lint [OPTION]... [PATH]

Looks for access rules that do not do what they say. PATH is a configuration file, which is read with its includes and .htaccess files, or a
folder with .htaccess files; without it, this installation's configuration is looked at. What is said of a request was decided by the
server's own code, and is shown as a command.

  -d, --root DIR           ServerRoot (default: what the configuration says, else the folder above its own)
  -D, --define NAME        as httpd -D
      --allow-override W   what the .htaccess files of a folder may say (default: ${TREE_OVERRIDE})
      --rule ID            only this rule, may be repeated
      --ignore ID          not this rule, may be repeated
      --json               findings as data

A comment "# gatewright-ignore GW007 reason" above a line silences the rule there.

${RULES.map(({ id, severity, about }) => `  ${id}  ${severity.padEnd(7)}  ${about}`).join('\n')}

The exit status is 0 when there is no error among the findings, 1 when there is one or a .htaccess file has a mistake, 2 when nothing could be looked at.`
