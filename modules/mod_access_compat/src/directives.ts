import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { type HostRules, type Order, type Satisfy, withMethods } from './host-rules.ts'
import { parseHostWord } from './host-word.ts'
import type { Precedence, ServerSettings } from './precedence.ts'

export const directives: DirectiveTable<HostRules, ServerSettings> = {
  Order: directive.take1({
    scope: 'directory',
    context: contexts.inSections,
    override: 'Limit',
    declaredAs: 'order',
    help: "order in which Allow and Deny are evaluated: 'allow,deny', 'deny,allow' or 'mutual-failure'",
    set: setOrder,
  }),
  Allow: directive.iterate2({
    scope: 'directory',
    context: contexts.inSections,
    override: 'Limit',
    declaredAs: 'allow',
    help: "the word 'from' and the clients to allow: names, addresses, networks, env=VARIABLE or all",
    set: (config: HostRules, from, word, command) => addWord(config, 'allows', from, word, command),
  }),
  Deny: directive.iterate2({
    scope: 'directory',
    context: contexts.inSections,
    override: 'Limit',
    declaredAs: 'deny',
    help: "the word 'from' and the clients to deny: names, addresses, networks, env=VARIABLE or all",
    set: (config: HostRules, from, word, command) => addWord(config, 'denies', from, word, command),
  }),
  Satisfy: directive.take1({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: "whether both the host rules and Require must grant a request ('all') or one of them ('any')",
    set: setSatisfy,
  }),
  AccessCompatPrecedence: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: "effect of host rules in <Location> on Require directives about hosts in <Directory>: 'manual' replaces, 'httpd' adds",
    set: setPrecedence,
  }),
}

const ORDERS: readonly Order[] = ['deny,allow', 'allow,deny', 'mutual-failure']

function setOrder(config: HostRules, word: string, command: Command): SetResult {
  const order = ORDERS.find((name) => name === word.toLowerCase())
  if (order === undefined) return 'unknown order'
  config.order = withMethods(config.order, command.limited, order)
  config.ruled = config.ruled.union(command.limited)
  return undefined
}

function addWord(config: HostRules, list: 'allows' | 'denies', from: string, word: string, command: Command): SetResult {
  if (from.toLowerCase() !== 'from') return "allow and deny must be followed by 'from'"
  const host = parseHostWord(word)
  if (typeof host === 'string') return host
  config[list].add(host, command.limited, { word, file: command.file, line: command.line })
  config.ruled = config.ruled.union(command.limited)
  return undefined
}

const SATISFY: readonly Satisfy[] = ['all', 'any']

function setSatisfy(config: HostRules, word: string, command: Command): SetResult {
  const satisfy = SATISFY.find((name) => name === word.toLowerCase())
  if (satisfy === undefined) return "Satisfy either 'any' or 'all'."
  config.satisfy = withMethods(config.satisfy, command.limited, satisfy)
  return undefined
}

const PRECEDENCES: readonly Precedence[] = ['manual', 'httpd']

function setPrecedence(config: ServerSettings, word: string): SetResult {
  const precedence = PRECEDENCES.find((name) => name === word.toLowerCase())
  if (precedence === undefined) return 'AccessCompatPrecedence must be one of: manual | httpd'
  config.precedence = precedence
  return undefined
}
