import { type Command, contexts, type DirectiveTable, type DirectoryDirective, directive, directivePlace } from '@gatewright/api'
import { parseAction } from './action.ts'
import { addRule, type RuleGroup, type SetenvifConfig } from './config.ts'
import { parseSubject } from './subject.ts'
import { textTest } from './text-test.ts'

export const directives: DirectiveTable<SetenvifConfig, undefined> = {
  SetEnvIf: line('an attribute, a regular expression and the variables to set', (config, words, command) => {
    return addTextRule(config, words[0], words.slice(1), false, command)
  }),
  SetEnvIfNoCase: line(
    'an attribute, a case-insensitive regular expression, and the variables to set',
    (config, words, command) => {
      return addTextRule(config, words[0], words.slice(1), true, command)
    },
  ),
  BrowserMatch: line('a regular expression for the User-Agent and the variables to set', (config, words, command) => {
    return addTextRule(config, 'User-Agent', words, false, command)
  }),
  BrowserMatchNoCase: line(
    'a case-insensitive regular expression for the User-Agent, and the variables to set',
    (config, words, command) => {
      return addTextRule(config, 'User-Agent', words, true, command)
    },
  ),
  SetEnvIfExpr: line('an expression and the variables to set', (config, words, command) =>
    addConditionRule(config, words, command),
  ),
}

function line(
  help: string,
  set: (config: SetenvifConfig, words: readonly string[], command: Command) => string | undefined,
): DirectoryDirective<SetenvifConfig, 'raw'> {
  return directive.raw<SetenvifConfig>({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help,
    set: (config, text, command) => set(config, command.words(text), command),
  })
}

function addTextRule(
  config: SetenvifConfig,
  attribute: string | undefined,
  [regex = '', ...variables]: readonly string[],
  foldCase: boolean,
  command: Command,
): string | undefined {
  if (attribute === undefined || attribute === '') return `Missing header-field name for ${command.name}`
  if (regex === '') return `Missing regular expression for ${command.name}`
  const compile = (source: string): ReturnType<Command['services']['pattern']> =>
    command.services.pattern(source, { ignoreCase: foldCase })
  const pattern = compile(regex)
  if ('error' in pattern) return `${command.name} regex could not be compiled.`
  const subject = parseSubject(attribute, compile)
  if ('error' in subject) return `${command.name}Header name regex could not be compiled.`
  const test = textTest(regex, foldCase, pattern)
  const words = upToEmpty(variables)
  if (words.length === 0) return `Missing envariable expression for ${command.name}`
  const actions = words.map((word) => parseAction(word, test.kind === 'plain' ? 'literal' : 'filled'))
  const usesGroups = actions.some(({ value }) => typeof value === 'object' && value !== null)
  addRule(groupsFor(config, command), subject, { kind: 'text', test, actions, place: directivePlace(command), usesGroups })
  return undefined
}

function addConditionRule(
  config: SetenvifConfig,
  [source = '', ...variables]: readonly string[],
  command: Command,
): string | undefined {
  if (source === '') return `Missing expression for ${command.name}`
  const condition = command.services.condition(source, command)
  if ('error' in condition) return `Could not parse expression "${source}": ${condition.error}`
  const words = upToEmpty(variables)
  if (words.length === 0) return `Missing envariable expression for ${command.name}`
  const actions = words.map((word) => parseAction(word, 'filled'))
  addRule(groupsFor(config, command), null, { kind: 'condition', condition, actions, place: directivePlace(command) })
  return undefined
}

/** Rules of the main server and of virtual hosts are applied earlier than those of sections. */
function groupsFor(config: SetenvifConfig, { section }: Command): RuleGroup[] {
  return section.kind === 'server' || section.kind === 'VirtualHost' ? config.server : config.sections
}

/** An empty word ends the list. */
function upToEmpty(words: readonly string[]): readonly string[] {
  const end = words.indexOf('')
  return end < 0 ? words : words.slice(0, end)
}
