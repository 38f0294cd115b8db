import { env } from 'node:process'
import { type Command, contexts, type DirectiveTable, directive } from '@gatewright/api'
import { utf8Bytes } from '@gatewright/api/text'
import type { EnvConfig } from './config.ts'

export const directives: DirectiveTable<EnvConfig, undefined> = {
  SetEnv: directive.take12({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'name of a variable and its value (default: empty)',
    set: (config, name, value, command) => {
      warnOfEqualsSign(name, command)
      config.variables.set(name, value ?? '')
    },
  }),
  UnsetEnv: directive.iterate({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'names of variables to unset',
    set: (config, name) => {
      config.variables.unset(name)
      config.unset.add(name.toLowerCase())
    },
  }),
  PassEnv: directive.iterate({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'names of variables to copy from the environment of the server',
    set: (config, name, command) => {
      const value = env[name]
      if (value === undefined) command.report('warn', 'AH01506', `PassEnv variable ${name} was undefined`)
      else config.variables.set(name, utf8Bytes(value))
    },
  }),
}

function warnOfEqualsSign(name: string, command: Command): void {
  const at = name.indexOf('=')
  if (at < 0) return
  const meant = `${command.name} ${name.slice(0, at)} ${name.slice(at + 1)}`
  command.report('warn', 'AH10032', `Spurious usage of '=' in an environment variable name. '${meant}' expected instead?`)
}
