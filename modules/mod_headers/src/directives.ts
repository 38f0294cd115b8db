import { type Command, contexts, type DirectiveTable, directive } from '@gatewright/api'
import { addRule, type HeadersConfig } from './config.ts'
import { parseRule } from './parse-rule.ts'
import type { RuleTarget } from './rule.ts'

export const directives: DirectiveTable<HeadersConfig, undefined> = {
  Header: directive.raw({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'always or onsuccess, an action, a response header and its value, and a condition',
    set: (config, text, command) => {
      const words = command.words(text)
      const table = words[0]?.toLowerCase()
      if (table === 'always') return addLine(config, 'always', words.slice(1), command)
      return addLine(config, 'onSuccess', table === 'onsuccess' ? words.slice(1) : words, command)
    },
  }),
  RequestHeader: directive.raw({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'an action, a request header and its value, and a condition',
    set: (config, text, command) => addLine(config, 'request', command.words(text), command),
  }),
}

function addLine(config: HeadersConfig, target: RuleTarget, words: readonly string[], command: Command): string | undefined {
  const parsed = parseRule(words, target === 'request' ? 'request' : 'response', command)
  if ('error' in parsed) return parsed.error
  const { kind } = command.section
  // As in httpd, early rules of sections are accepted and never applied.
  if (parsed.time === 'normal' || kind === 'server' || kind === 'VirtualHost') addRule(config, target, parsed.time, parsed.rule)
  return undefined
}
