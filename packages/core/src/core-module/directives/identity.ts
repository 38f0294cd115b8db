import { statSync } from 'node:fs'
import { directive, type SetResult } from '@gatewright/api'
import { hasWildcards } from '@gatewright/expr'
import { internals } from '../../config/command-impl.ts'
import type { ServerNameSetting } from '../../model/server-config.ts'
import { ANYWHERE, accepted, atoi, CONF_FILES, type CoreTable, GLOBAL, oneOf, SERVERS } from './types.ts'

/** The server's name, its document root, and its signature. */
export const identityDirectives: CoreTable = {
  DocumentRoot: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'folder from which files are served',
    set: (config, path, command) => {
      const { configuration } = internals(command).context
      const absolute = configuration.serverRelative(path).replace(/(.)\/$/, '$1')
      if (!configuration.options.skipDocumentRootCheck && statSync(absolute, { throwIfNoEntry: false })?.isDirectory() !== true) {
        if (!command.server.isVirtual) return `DocumentRoot '${absolute}' is not a directory, or is not readable`
        command.report('warn', 'AH00112', `Warning: DocumentRoot [${absolute}] does not exist`)
      }
      config.documentRoot = absolute
      return undefined
    },
  }),
  ServerName: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'name and port of the server, optionally with scheme://',
    set: (config, text) => {
      const name = parseServerName(text, config.serverName?.scheme ?? 'http')
      if (typeof name === 'string') return name
      config.serverName = name
      return undefined
    },
  }),
  ServerAlias: directive.argv({
    scope: 'server',
    context: SERVERS,
    help: 'alternative names of a virtual host',
    set: (config, names, command) => {
      if (!command.server.isVirtual) return 'ServerAlias only used in <VirtualHost>'
      for (const name of names) (/[*?]/.test(name) ? config.wildAliases : config.serverAliases).push(name.toLowerCase())
      return undefined
    },
  }),
  ServerPath: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'URL prefix that selects the virtual host for clients that do not send Host',
    set: (config, path) => {
      config.serverPath = path
    },
  }),
  ServerAdmin: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'email address of the administrator, shown on error pages',
    set: (config, text) => {
      config.serverAdmin = text
    },
  }),
  ServerSignature: directive.take1({
    scope: 'directory',
    context: ANYWHERE,
    override: 'All',
    help: 'whether generated pages name the server',
    set: oneOf(['off', 'on', 'email'], 'ServerSignature: use one of: off | on | email', (config, word) => {
      config.serverSignature = word
    }),
  }),
  ServerTokens: directive.take1({
    scope: 'server',
    context: GLOBAL,
    help: 'how much the Server header reveals',
    set: (_config, text, command) => {
      const tokens = TOKENS[text.toLowerCase()]
      if (tokens === undefined)
        return "ServerTokens takes 1 argument: 'Prod(uctOnly)', 'Major', 'Minor', 'Min(imal)', 'OS', or 'Full'"
      internals(command).context.configuration.process.serverTokens = tokens
      return undefined
    },
  }),
  UseCanonicalName: directive.take1({
    scope: 'directory',
    context: CONF_FILES,
    help: 'source of the server name in URLs that refer to the server itself',
    set: oneOf(['on', 'off', 'dns'], "parameter must be 'on', 'off', or 'dns'", (config, word, command) => {
      config.useCanonicalName = word
      if (word === 'dns') internals(command).context.configuration.process.localNamesWanted = true
    }),
  }),
  UseCanonicalPhysicalPort: directive.take1({
    scope: 'directory',
    context: CONF_FILES,
    help: 'whether URLs that refer to the server itself use the actual port',
    set: oneOf(['on', 'off'], "parameter must be 'on' or 'off'", (config, word) => {
      config.useCanonicalPhysicalPort = word === 'on'
    }),
  }),
  HostnameLookups: directive.take1({
    scope: 'directory',
    context: CONF_FILES,
    help: 'whether the server looks up the host names of clients for the logs',
    set: oneOf(['on', 'off', 'double'], "parameter must be 'on', 'off', or 'double'", (config, word) => {
      config.hostnameLookups = word
    }),
  }),
  NameVirtualHost: directive.take1({
    scope: 'server',
    context: GLOBAL,
    help: 'has no effect since 2.4',
    set: (_config, _text, command) => {
      command.report(
        'notice',
        'AH00548',
        `NameVirtualHost has no effect and will be removed in the next release ${command.file}:${command.line}`,
      )
    },
  }),
  Protocols: directive.iterate({
    scope: 'server',
    context: SERVERS,
    help: 'protocols that the server accepts, in order of preference',
    set: (config, word) => {
      config.protocols = [...(config.protocols ?? []), word]
    },
  }),
  ProtocolsHonorOrder: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: "whether the server's order of protocols takes precedence",
    set: oneOf(['on', 'off'], "ProtocolsHonorOrder must be 'on' or 'off'", (config, word) => {
      config.protocolsHonorOrder = word === 'on'
    }),
  }),
  Protocol: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'the Listen line determines the protocol',
    effect: 'none',
    set: accepted,
  }),
  Port: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'replaced by Listen',
    set: (): SetResult => 'Port was replaced with Listen in Apache 2.0',
  }),
}

const TOKENS: Readonly<Record<string, 'full' | 'os' | 'minimal' | 'minor' | 'major' | 'prod'>> = {
  full: 'full',
  os: 'os',
  min: 'minimal',
  minimal: 'minimal',
  minor: 'minor',
  major: 'major',
  prod: 'prod',
  productonly: 'prod',
}

/**
 * `[scheme://]name[:port]`. The port is parsed like C's `atoi`, up to the first character other than a digit.
 *
 * @param scheme that of a former line, which a line without a scheme keeps
 */
function parseServerName(text: string, scheme: 'http' | 'https'): ServerNameSetting | string {
  if (hasWildcards(text)) return `Invalid ServerName "${text}" use ServerAlias to set multiple server names.`
  const [, written, rest] = /^(?:(.*?):\/\/)?(.*)$/s.exec(text) ?? []
  const chosen = written === undefined ? scheme : written.toLowerCase() === 'https' ? 'https' : 'http'
  const colon = rest.indexOf(':')
  if (colon < 0) return { name: rest, port: 0, scheme: chosen }
  const port = atoi(rest.slice(colon + 1))
  if (port < 1 || port > 65535) return `The port number "${text}" is outside the appropriate range (i.e., 1..65535).`
  return { name: rest.slice(0, colon), port, scheme: chosen }
}
