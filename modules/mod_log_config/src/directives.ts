import { type Command, contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { LogCondition, LogConfig } from './config.ts'
import { isKnownLetter } from './letters.ts'
import { type FormatPart, parseFormat } from './parse-format.ts'
import { isProgram } from './program.ts'

export const directives: DirectiveTable<undefined, LogConfig> = {
  LogFormat: directive.take12({
    scope: 'server',
    context: contexts.inServers,
    help: 'a format for log lines, and a nickname for it',
    set: (config, format, nickname, command) => {
      const parts = parse(format, command)
      if ('error' in parts) return parts.error
      const line = { parts, file: command.file, line: command.line }
      if (nickname !== undefined) {
        config.formats.set(nickname.toLowerCase(), line)
      } else {
        config.defaultFormat = format
        config.defaultParts = line
      }
      return undefined
    },
  }),
  CustomLog: directive.take23({
    scope: 'server',
    context: contexts.inServers,
    help: 'a file or a command, a format or its nickname, and a condition with env= or expr=',
    set: (config, target, format, condition, command) => addLog(config, target, format, condition, 'own', command),
  }),
  GlobalLog: directive.take23({
    scope: 'server',
    context: contexts.mainServer,
    help: 'like CustomLog, for a log of all virtual hosts',
    set: (config, target, format, condition, command) => addLog(config, target, format, condition, 'global', command),
  }),
  TransferLog: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'a file or a command that receives lines in the default format',
    set: (config, target, command) => addLog(config, target, null, undefined, 'own', command),
  }),
  BufferedLogs: directive.flag({
    scope: 'server',
    context: contexts.inServers,
    help: 'whether log lines are buffered',
    set: (config, on) => {
      config.buffered = on
    },
  }),
}

function addLog(
  config: LogConfig,
  written: string,
  format: string | null,
  clause: string | undefined,
  reach: 'own' | 'global',
  command: Command,
): string | undefined {
  const condition = clause === undefined ? null : parseCondition(clause, command)
  if (condition !== null && 'error' in condition) return condition.error
  const parts = format === null ? null : parse(format, command)
  if (parts !== null && 'error' in parts) return parts.error
  config.logs.push({
    written,
    target: isProgram(written) ? written : command.serverRelative(written),
    format,
    parts,
    condition,
    isGlobal: reach === 'global',
    server: command.server,
    file: command.file,
    line: command.line,
  })
  return undefined
}

function parse(format: string, command: Command): readonly FormatPart[] | { readonly error: string } {
  return parseFormat(format, (letter) => isKnownLetter(letter, command.services))
}

function parseCondition(clause: string, command: Command): LogCondition | { readonly error: string } {
  const word = clause.slice(0, 5).toLowerCase()
  if (word.startsWith('env=')) {
    const negated = clause[4] === '!'
    const name = clause.slice(negated ? 5 : 4)
    return name === ''
      ? { error: 'missing environment variable name' }
      : { kind: 'variable', name, wanted: negated ? 'unset' : 'set' }
  }
  if (word !== 'expr=') return { error: 'error in condition clause' }
  const source = clause.slice(5)
  if (source === '') return { error: 'missing condition' }
  const condition = command.services.condition(source, command)
  return 'error' in condition ? condition : { kind: 'expression', condition }
}
