import { statSync } from 'node:fs'
import { type Context, type DirectiveTable, directive } from '@gatewright/api'
import type { UnixdConfig } from './config.ts'

const MAIN_SERVER: readonly Context[] = ['server']

/** Names are resolved by the host, which knows whether it has privileges to give up: it writes AH00543 and AH00544. */
export const directives: DirectiveTable<undefined, UnixdConfig> = {
  User: directive.take1({
    scope: 'server',
    context: MAIN_SERVER,
    help: 'user that answers requests, a name or # and a number',
    set: (config, name) => {
      config.user = name
    },
  }),
  Group: directive.take1({
    scope: 'server',
    context: MAIN_SERVER,
    help: 'group that answers requests, a name or # and a number',
    set: (config, name) => {
      config.group = name
    },
  }),
  ChrootDir: directive.take1({
    scope: 'server',
    context: MAIN_SERVER,
    help: 'folder that becomes the root folder; accepted and not used',
    set: (config, path, command) => {
      const absolute = command.serverRelative(path)
      if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory() !== true) return 'ChrootDir must be a valid directory'
      config.chrootDir = absolute
      return undefined
    },
  }),
  Suexec: directive.flag({
    scope: 'server',
    context: MAIN_SERVER,
    help: 'accepted and not used: there are no CGI programs to run as another user',
    set: (config, on) => {
      config.suexec = on
    },
  }),
}
