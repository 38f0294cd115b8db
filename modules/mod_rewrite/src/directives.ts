import { type Command, contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { RewriteConfig } from './config.ts'
import { addMap } from './maps/add-map.ts'
import { isMaxRedirects, optionBit } from './options.ts'
import { parseCondition } from './parse-condition.ts'
import { parseRule } from './parse-rule.ts'

export const directives: DirectiveTable<RewriteConfig, undefined> = {
  RewriteEngine: directive.flag({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'On or Off to enable or disable (default) the whole rewriting engine',
    // One setting for both kinds of rules: a server's applies to its sections, and one in Location or If to
    // the server's rules.
    set: (config, on) => {
      config.engine = on
    },
  }),
  RewriteOptions: directive.iterate({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'List of option strings to set',
    set: addOption,
  }),
  RewriteBase: directive.take1({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'the base URL of the per-directory context',
    set: (config, base) => {
      if (config.directory === null) return 'RewriteBase: only valid in per-directory config files'
      if (base === '') return 'RewriteBase: empty URL not allowed'
      if (!base.startsWith('/')) return 'RewriteBase: argument is not a valid URL'
      config.base = base
      return undefined
    },
  }),
  RewriteCond: directive.raw({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'an input string and a to be applied regexp-pattern',
    set: (config, text, command) => {
      const condition = parseCondition(text, command)
      if (typeof condition === 'string') return condition
      config.pending.push(condition)
      return undefined
    },
  }),
  RewriteRule: directive.raw({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'an URL-applied regexp-pattern and a substitution URL',
    set: addRule,
  }),
  RewriteMap: directive.take23({
    scope: 'directory',
    context: contexts.inServers,
    help: 'a mapname and a filename and options',
    set: addMap,
  }),
}

function addOption(config: RewriteConfig, word: string, command: Command): string | undefined {
  if (isMaxRedirects(word)) {
    command.report(
      'warn',
      'AH00664',
      'RewriteOptions: MaxRedirects option has been removed in favor of the global LimitInternalRecursion directive and will be ignored.',
    )
    return undefined
  }
  const bit = optionBit(word)
  if (bit === undefined) return `RewriteOptions: unknown option '${word}'`
  config.options = (config.options ?? 0) | bit
  if (config.own !== null) config.own.options = config.options
  return undefined
}

function addRule(config: RewriteConfig, text: string, command: Command): string | undefined {
  const rule = parseRule(text, config.pending, command)
  if (typeof rule === 'string') return rule
  config.pending = []
  const { rules } = config.own ?? config
  rules.push(rule)
  return undefined
}
