import { type Command, contexts, type DirectiveTable, directive, type ServerDirective } from '@gatewright/api'
import { isNetworkError, looksLikeAddress, parseNetwork } from '@gatewright/ipset'
import type { RemoteIpConfig, Trust } from './config.ts'

export const directives: DirectiveTable<undefined, RemoteIpConfig> = {
  RemoteIPHeader: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'header field in which proxies report the client address, such as X-Forwarded-For',
    set: (config, name) => {
      config.header = name
    },
  }),
  RemoteIPProxiesHeader: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'header field that lists the passed proxies for handlers',
    set: (config, name) => {
      config.proxiesHeader = name
    },
  }),
  RemoteIPInternalProxy: proxies('internal', 'proxies trusted to report any client address, including private ones'),
  RemoteIPTrustedProxy: proxies('trusted', 'proxies trusted to report public client addresses'),
  RemoteIPInternalProxyList: proxyList(
    'internal',
    'file of proxies trusted to report any client address, including private ones',
  ),
  RemoteIPTrustedProxyList: proxyList('trusted', 'file of proxies trusted to report public client addresses'),
  RemoteIPProxyProtocol: directive.flag({
    scope: 'server',
    context: contexts.inServers,
    help: 'whether connections begin with a PROXY protocol header',
    set: (config, on) => {
      config.proxyProtocol = on
    },
  }),
  RemoteIPProxyProtocolExceptions: directive.argv({
    scope: 'server',
    context: contexts.inServers,
    help: 'networks whose connections begin without a PROXY protocol header',
    set: (config, words, command) => {
      if (words.length === 0) return `${command.name} requires an argument`
      for (const word of words) {
        const network = parseNetwork(word)
        if (isNetworkError(network)) {
          const reason = network.kind === 'not-an-address' ? '' : `: ${network.message}`
          return `ip address '${word.split('/')[0]}' appears to be invalid${reason}`
        }
        config.exceptions.push(network)
      }
      return undefined
    },
  }),
}

function proxies(trust: Trust, help: string): ServerDirective<RemoteIpConfig, 'iterate'> {
  return directive.iterate<RemoteIpConfig>({
    scope: 'server',
    context: contexts.inServers,
    help,
    set: (config, word, command) => addProxy(config, word, trust, command),
  })
}

function proxyList(trust: Trust, help: string): ServerDirective<RemoteIpConfig, 'take1'> {
  return directive.take1<RemoteIpConfig>({
    scope: 'server',
    context: contexts.inServers,
    help,
    set: (config, name, command) => {
      const path = command.serverRelative(name)
      const text = command.services.readFile(path)
      if (text instanceof Error) return `${command.name}: Could not open file ${path}: ${reasonOf(text)}`
      return addProxies(config, text, trust, command, path)
    },
  })
}

/** The system's error text, without Node's code and path around it. */
function reasonOf({ message }: Error): string {
  const reason = message.replace(/^\w+: /, '').replace(/, \w+( '.*')?$/, '')
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}

/** Adds the words of a file, up to a # in each line. */
function addProxies(config: RemoteIpConfig, text: string, trust: Trust, command: Command, path: string): string | undefined {
  for (const [index, line] of text.split('\n').entries()) {
    for (const word of command.words(line)) {
      if (word.startsWith('#')) break
      const error = addProxy(config, word, trust, command)
      if (error !== undefined) return `${error} at line ${index + 1} of ${path}`
    }
  }
  return undefined
}

function addProxy(config: RemoteIpConfig, word: string, trust: Trust, command: Command): string | undefined {
  const [address, mask] = word.split('/', 2)
  if (!looksLikeAddress(address)) {
    if (mask !== undefined) return `RemoteIP: Error parsing IP ${word} the subnet /${mask} is invalid for ${command.name}`
    config.named.push({ name: word, trust, directive: command.name, file: command.file, line: command.line })
    return undefined
  }
  const network = parseNetwork(word)
  if (isNetworkError(network)) return `RemoteIP: Error parsing IP ${word} (${network.message} error) for ${command.name}`
  config.proxies.push({ network, trust })
  return undefined
}
