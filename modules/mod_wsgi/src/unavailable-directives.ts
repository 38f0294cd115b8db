import { type Command, type Directive, type DirectiveTable, directive, type Problem, type SetResult } from '@gatewright/api'
import type { WsgiConfig, WsgiServerConfig } from './config.ts'

type Table = DirectiveTable<WsgiConfig, WsgiServerConfig>

const ACCESS = { scope: 'directory', context: ['directory', 'htaccess'], override: 'AuthConfig' } as const
const FILES = { scope: 'directory', context: ['server', 'virtualhost', 'directory'] } as const
const ANYWHERE = {
  scope: 'directory',
  context: ['server', 'virtualhost', 'directory', 'htaccess'],
  override: 'FileInfo',
} as const

/** Refuses: without what the directive asks for, access or addresses would be decided in another way. */
function refused(hint: string): (config: WsgiConfig, words: readonly string[], command: Command) => Problem {
  return (_config, _words, command) => ({ message: `${command.name} is not available in this server`, hint })
}

const AUTHENTICATION = 'let mod_authnz_fcgi or mod_auth_request ask an application of yours'
const PROXIES = 'use mod_remoteip, whose RemoteIPHeader and RemoteIPInternalProxy count for all modules'

function newRelic(help: string): Directive<WsgiConfig, WsgiServerConfig> {
  return directive.take1<WsgiServerConfig>({
    scope: 'server',
    context: ['server', 'virtualhost'],
    help,
    effect: 'none',
    set: () => undefined,
  })
}

/** Directives of mod_wsgi that this server refuses, or accepts without effect. */
export const unavailableDirectives: Table = {
  WSGIAccessScript: directive.argv<WsgiConfig>({
    ...ACCESS,
    help: 'Location of WSGI host access script file.',
    set: refused('use Require, or let mod_auth_request ask an application of yours'),
  }),
  WSGIAuthUserScript: directive.argv<WsgiConfig>({
    ...ACCESS,
    help: 'Location of WSGI user auth script file.',
    set: refused(AUTHENTICATION),
  }),
  WSGIAuthGroupScript: directive.argv<WsgiConfig>({
    ...ACCESS,
    help: 'Location of WSGI group auth script file.',
    set: refused(AUTHENTICATION),
  }),
  WSGIGroupAuthoritative: directive.take1<WsgiConfig>({
    ...ACCESS,
    help: 'Enable/Disable as being authoritative on groups.',
    effect: 'none',
    set: (_config, word, command): SetResult =>
      /^o(?:n|ff)$/i.test(word) ? undefined : `${command.name} must be one of: Off | On`,
  }),
  WSGIDispatchScript: directive.argv<WsgiConfig>({
    ...FILES,
    help: 'Location of WSGI dispatch script.',
    set: refused('use WSGIProcessGroup, WSGIApplicationGroup and WSGICallableObject with %{ENV:NAME}'),
  }),
  WSGIHandlerScript: directive.argv<WsgiConfig>({
    ...FILES,
    help: 'Location of WSGI handler script file.',
    set: refused('use WSGIScriptAlias or WSGIScriptAliasMatch for an application that serves these files'),
  }),
  WSGIPassApacheRequest: directive.take1<WsgiConfig>({
    ...FILES,
    help: 'Enable/Disable Apache request object.',
    set: (_config, word, command): SetResult => {
      const text = word.toLowerCase()
      if (text === 'off') return undefined
      if (text !== 'on') return `${command.name} must be one of: Off | On`
      return {
        message: 'WSGIPassApacheRequest On is not available in this server',
        hint: 'no process of Python has such an object: use environ',
      }
    },
  }),
  WSGITrustedProxyHeaders: directive.argv<WsgiConfig>({
    ...ANYWHERE,
    help: 'Specify a list of trusted proxy headers.',
    set: refused(PROXIES),
  }),
  WSGITrustedProxies: directive.argv<WsgiConfig>({
    ...ANYWHERE,
    help: 'Specify a list of trusted proxies.',
    set: refused(PROXIES),
  }),
  WSGINewRelicConfigFile: newRelic('New Relic monitoring agent configuration file.'),
  WSGINewRelicEnvironment: newRelic('New Relic monitoring agent environment.'),
}
