import { statSync } from 'node:fs'
import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { UnixdConfig } from './config.ts'

/**
 * The host resolves the names, because only it knows whether privileges will be dropped. It logs AH00543 and
 * AH00544.
 */
export const directives: DirectiveTable<undefined, UnixdConfig> = {
  User: directive.take1({
    scope: 'server',
    context: contexts.mainServer,
    help: 'user that the workers run as, a name or # and a number',
    set: (config, name) => {
      config.user = name
    },
  }),
  Group: directive.take1({
    scope: 'server',
    context: contexts.mainServer,
    help: 'group that the workers run as, a name or # and a number',
    set: (config, name) => {
      config.group = name
    },
  }),
  ChrootDir: directive.take1({
    scope: 'server',
    context: contexts.mainServer,
    help: 'folder that becomes the root folder; rejected, not supported by this server',
    set: (_config, path, command) =>
      statSync(command.serverRelative(path), { throwIfNoEntry: false })?.isDirectory() === true
        ? 'ChrootDir is not supported: the server does not start without the requested confinement; remove the line, or confine the server by other means'
        : 'ChrootDir must be a valid directory',
  }),
  Suexec: directive.flag({
    scope: 'server',
    context: contexts.mainServer,
    help: 'Off; On is rejected, because this server runs programs as its own user only',
    set: (_config, on) =>
      on
        ? "suEXEC isn't supported: this server runs programs as its own user only; remove the line, or run them by PHP-FPM or another FastCGI or WSGI server with a pool of the other user"
        : undefined,
  }),
}
