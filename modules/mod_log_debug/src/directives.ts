import { type Command, type DirectiveTable, directive } from '@gatewright/api'
import { HOOKS_OF_MESSAGES, type LogDebugConfig, type Message, type MessageHook } from './messages.ts'

type Hook = MessageHook | 'all'

const HOOK_NAMES: readonly Hook[] = [...HOOKS_OF_MESSAGES.keys(), 'insert_filter', 'log_transaction', 'all']

export const directives: DirectiveTable<LogDebugConfig, undefined> = {
  LogMessage: directive.take123<LogDebugConfig>({
    scope: 'directory',
    context: ['server', 'virtualhost', 'directory'],
    help: 'a message for the error log, and optionally its hook and a condition',
    set: ({ messages }, text, second, third, command) => {
      const message = compile(text, [second, third], command)
      if (typeof message === 'string') return message
      messages.push(message)
      return undefined
    },
  }),
}

function compile(source: string, options: readonly (string | undefined)[], command: Command): Message | string {
  const text = command.services.text(source, command)
  if ('error' in text) return `Could not parse message expression '${source}': ${text.error}`
  let hook: Hook = 'log_transaction'
  let condition: Message['condition'] = null
  for (const option of options) {
    if (option === undefined) continue
    const [, name = '', value = ''] = /^(hook|expr)=(.*)$/is.exec(option) ?? []
    if (name === '') return `Invalid argument ${option}`
    if (name.toLowerCase() === 'hook') {
      const found = HOOK_NAMES.find((known) => known === value.toLowerCase())
      if (found === undefined) return `Invalid hook name: ${value}`
      hook = found
    } else {
      const compiled = command.services.condition(value, command, { vary: 'untold' })
      if ('error' in compiled) return `Could not parse expression '${value}': ${compiled.error}`
      condition = compiled
    }
  }
  return { text, condition, hook, file: command.file, line: command.line }
}
