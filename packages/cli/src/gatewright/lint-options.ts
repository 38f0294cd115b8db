import { RULES, type Rule } from '@gatewright/policy'
import { TREE_OVERRIDE } from './tree-rules.ts'
import { namedPaths, ONE_PATH_WANTED, sortWords, type UsageError } from './words.ts'

/** The options of `gatewright lint`. */
export interface LintRequest {
  /**
   * A configuration file, a folder with .htaccess files, or null for the configuration of the installation.
   */
  readonly path: string | null
  readonly serverRoot: string | null
  readonly defines: readonly string[]
  readonly allowOverride: string
  readonly rules: readonly Rule[]
  /** Rules of modules that the command line names: none of these, the server has to know. */
  readonly named: readonly string[]
  /** Whether a rule of a module is checked. */
  isWanted(id: string): boolean
  readonly output: 'text' | 'json'
}

const OPTIONS = {
  root: { type: 'string', short: 'd' },
  file: { type: 'string', short: 'f' },
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
  const [path = null, ...surplus] = namedPaths(positionals, values.file)
  if (surplus.length > 0) return { complaint: ONE_PATH_WANTED }
  const wanted = (values.rule ?? []).map((id) => id.toUpperCase())
  const ignored = (values.ignore ?? []).map((id) => id.toUpperCase())
  const others = [...wanted, ...ignored].filter((id) => !RULES.some((rule) => rule.id === id))
  const unknown = others.find((id) => !OF_MODULE.test(id))
  if (unknown !== undefined) return { complaint: noSuchRule(unknown) }
  const isWanted = (id: string): boolean => (wanted.length === 0 || wanted.includes(id)) && !ignored.includes(id)
  return {
    path,
    serverRoot: values.root ?? null,
    defines: values.define ?? [],
    allowOverride: values['allow-override'] ?? TREE_OVERRIDE,
    rules: RULES.filter(({ id }) => isWanted(id)),
    named: others,
    isWanted,
    output: values.json === true ? 'json' : 'text',
  }
}

/** Rules of modules have other letters than those of the policy engine. */
const OF_MODULE = /^(?!GW\d)[A-Z]+\d+$/

/** The complaint about a rule that does not exist. */
export function noSuchRule(id: string): string {
  return `no such rule: ${id}; gatewright lint --help lists the rules`
}

export const LINT_USAGE: string = `Usage: gatewright lint [OPTION]... [PATH]

Finds access rules without the effect that they suggest. PATH is a configuration file, which is read with its includes and .htaccess files, or a
folder with .htaccess files; the default is the configuration of this installation. Each statement about a request was decided by the
server's own code and comes with a command that reproduces it.

  -f, --file FILE          the configuration file, another way to write PATH
  -d, --root DIR           ServerRoot (default: as configured, else the parent of the folder of the configuration)
  -D, --define NAME        as httpd -D
      --allow-override W   directives allowed in the .htaccess files of a folder (default: ${TREE_OVERRIDE})
      --rule ID            only this rule; can be repeated
      --ignore ID          omit this rule; can be repeated
      --json               print JSON

A comment "# gatewright-ignore GW007 reason" above a line silences the rule there.

${RULES.map(({ id, severity, about }) => `  ${id}  ${severity.padEnd(7)}  ${about}`).join('\n')}

Loaded modules add rules, listed in their manual pages: mod_ssl SSL001 and following.

The exit status is 0 if the findings contain no error, 1 if they contain one or a .htaccess file has a mistake, 2 if nothing could be checked.`
