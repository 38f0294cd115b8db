import { isIP } from 'node:net'
import { contexts, type DirectiveTable, directive, type Pattern, type SetResult } from '@gatewright/api'
import type { DirectoryConfig, RemoteProxy, ServerConfig } from '../config.ts'
import { directMatcher } from '../host-matchers.ts'
import { splitProxyUrl } from '../workers/proxy-url.ts'
import { leadingNumber, timeWithUnit } from '../workers/worker-parameters.ts'

const SERVER = { scope: 'server', context: contexts.inServers } as const
const SECTION = { scope: 'directory', context: ['server', 'virtualhost', 'directory'] } as const

/** The directives about requests and responses that are passed on, of servers and of sections. */
export const serverDirectives: DirectiveTable<DirectoryConfig, ServerConfig> = {
  ProxyRequests: directive.flag({
    ...SERVER,
    help: 'on if the true proxy requests should be accepted',
    set: (config: ServerConfig, on) => void (config.requests = on),
  }),
  ProxyRemote: directive.take23({
    ...SERVER,
    help: "a scheme, partial URL or '*' and a proxy server",
    set: (config: ServerConfig, of, url, credentials) => addRemote(config, 'ProxyRemote', of, null, url, credentials),
  }),
  ProxyRemoteMatch: directive.take23({
    ...SERVER,
    help: 'a regex pattern and a proxy server',
    set: (config: ServerConfig, of, url, credentials, command) => {
      const pattern = command.services.pattern(of)
      const wrong = 'error' in pattern ? 'Regular expression for ProxyRemoteMatch could not be compiled.' : undefined
      // What is wrong with the URL comes first.
      return addRemote(config, 'ProxyRemoteMatch', of, 'error' in pattern ? null : pattern, url, credentials) ?? wrong
    },
  }),
  ProxyBlock: directive.iterate({
    ...SERVER,
    help: 'A list of names, hosts or domains to which the proxy will not connect',
    set: (config: ServerConfig, word) => {
      if (word === '*') config.blocksAll = true
      config.blocked = [...config.blocked, { kind: word === '*' ? 'any' : 'part', text: word }]
    },
  }),
  ProxyReceiveBufferSize: directive.take1({
    ...SERVER,
    effect: 'none',
    help: 'Receive buffer size for outgoing HTTP and FTP connections in bytes',
    set: (_config: ServerConfig, word) => checkSize(word, 'ProxyReceiveBufferSize'),
  }),
  ProxyIOBufferSize: directive.take1({
    ...SERVER,
    help: 'IO buffer size for outgoing HTTP and FTP connections in bytes',
    set: (config: ServerConfig, word) => {
      if (!/^-?\d/.test(word)) return undefined
      config.ioBufferSize = leadingNumber(word)
      return checkSize(word, 'ProxyIOBufferSize')
    },
  }),
  ProxyMaxForwards: directive.take1({
    ...SERVER,
    help: 'The maximum number of proxies a request may be forwarded through.',
    set: (config: ServerConfig, word) => void (config.maxForwards = leadingNumber(word)),
  }),
  NoProxy: directive.iterate({
    ...SERVER,
    help: 'A list of domains, hosts, or subnets to which the proxy will connect directly',
    set: (config: ServerConfig, word) => {
      config.direct = [...config.direct, directMatcher(word)]
    },
  }),
  ProxyDomain: directive.take1({
    ...SERVER,
    help: 'The default intranet domain name (in absence of a domain in the URL)',
    set: (config: ServerConfig, word) => {
      if (!word.startsWith('.')) return 'ProxyDomain: domain name must start with a dot.'
      config.domain = word
      return undefined
    },
  }),
  ProxyVia: directive.take1({
    ...SERVER,
    help: 'Configure Via: proxy header header to one of: on | off | block | full',
    set: (config: ServerConfig, word) => {
      const via = word.toLowerCase()
      if (via !== 'off' && via !== 'on' && via !== 'full' && via !== 'block')
        return 'ProxyVia must be one of: off | on | full | block'
      config.via = via
      return undefined
    },
  }),
  ProxyTimeout: directive.take1({
    ...SERVER,
    help: 'Set the timeout (in seconds) for a proxied connection. This overrides the server timeout',
    set: (config: ServerConfig, word) => {
      const time = timeWithUnit(word, 1000)
      if (time === null || time < 1000) return 'Proxy Timeout must be at least 1 second.'
      config.timeout = time
      return undefined
    },
  }),
  ProxyBadHeader: directive.take1({
    ...SERVER,
    help: 'How to handle bad header line in response: IsError | Ignore | StartBody',
    set: (config: ServerConfig, word) => {
      const reaction = { iserror: 'error', ignore: 'ignore', startbody: 'body' } as const
      const key = word.toLowerCase()
      if (key !== 'iserror' && key !== 'ignore' && key !== 'startbody')
        return 'ProxyBadHeader must be one of: IsError | Ignore | StartBody'
      config.badHeader = reaction[key]
      return undefined
    },
  }),
  ProxyStatus: directive.take1({
    ...SERVER,
    help: 'Configure Status: proxy status to one of: on | off | full',
    set: (config: ServerConfig, word) => {
      const status = word.toLowerCase()
      if (status !== 'off' && status !== 'on' && status !== 'full') return 'ProxyStatus must be one of: off | on | full'
      config.status = status
      return undefined
    },
  }),
  ProxySourceAddress: directive.take1({
    ...SERVER,
    help: 'Configure local source IP used for request forward',
    set: (config: ServerConfig, word) => {
      if (isIP(word) === 0) return 'ProxySourceAddress invalid value'
      config.sourceAddress = word
      return undefined
    },
  }),
  ProxyPassInherit: directive.flag({
    ...SERVER,
    help: 'on if this server should inherit all ProxyPass directives defined in the main server (Setting to off recommended if using the Balancer Manager)',
    set: (config: ServerConfig, on) => void (config.inheritsMappings = on),
  }),
  BalancerInherit: directive.flag({
    ...SERVER,
    help: 'on if this server should inherit Balancers and Workers defined in the main server (Setting to off recommended if using the Balancer Manager)',
    set: (config: ServerConfig, on) => void (config.inheritsBalancers = on),
  }),
  BalancerPersist: directive.flag({
    ...SERVER,
    help: 'on if the balancer should persist changes on reboot/restart made via the Balancer Manager',
    set: (config: ServerConfig, on) => void (config.persistsBalancers = on),
  }),
  BalancerGrowth: directive.take1({
    ...SERVER,
    effect: 'none',
    help: 'Number of additional Balancers that can be added post-config',
    set: (_config: ServerConfig, word) => {
      const growth = leadingNumber(word)
      return growth < 0 || growth > 1000 ? 'BalancerGrowth must be between 0 and 1000' : undefined
    },
  }),
  ProxyErrorOverride: directive.raw({
    ...SECTION,
    help: "use our error handling pages instead of the servers' we are proxying",
    set: (config: DirectoryConfig, text, command) => setErrorOverride(config, command.words(text)),
  }),
  ProxyPreserveHost: directive.flag({
    ...SECTION,
    help: 'on if we should preserve host header while proxying',
    set: (config: DirectoryConfig, on) => void (config.preserveHost = on),
  }),
  ProxyAddHeaders: directive.flag({
    ...SECTION,
    help: 'on if X-Forwarded-* headers should be added or completed',
    set: (config: DirectoryConfig, on) => void (config.addHeaders = on),
  }),
  Proxy100Continue: directive.flag({
    ...SECTION,
    help: 'on if 100-Continue should be forwarded to the origin server, off if the proxy should handle it by itself',
    set: (config: DirectoryConfig, on) => void (config.forwardContinue = on),
  }),
}

function checkSize(word: string, name: string): string | undefined {
  const bytes = leadingNumber(word)
  return bytes < 512 && bytes !== 0 ? `${name} must be >= 512 bytes, or 0 for system default.` : undefined
}

function setErrorOverride(config: DirectoryConfig, words: readonly string[]): SetResult {
  const [first, ...codes] = words
  if (first === undefined)
    return "ProxyErrorOverride requires at least one argument, use our error handling pages instead of the servers' we are proxying"
  const on = /^on$/i.test(first)
  if (!on && !/^off$/i.test(first)) return 'ProxyErrorOverride first parameter must be one of: off | on'
  if (!on && codes.length > 0) return "ProxyErrorOverride: status codes must follow a value of 'on'"
  const statuses: number[] = []
  for (const code of codes) {
    if (!/^\d+$/.test(code)) return 'ProxyErrorOverride: status codes to intercept must be numeric'
    const status = Number(code)
    if (status < 400 || status >= 600)
      return 'ProxyErrorOverride: status codes to intercept must be valid HTTP Status Codes >=400 && <600'
    statuses.push(status)
  }
  config.errorOverride = { on, statuses }
  return undefined
}

function addRemote(
  config: ServerConfig,
  name: string,
  of: string,
  pattern: Pattern | null,
  url: string,
  credentials: string | undefined,
): SetResult {
  const bad = `${name}: Bad syntax for a remote proxy server`
  // As in httpd, the first colon after the scheme has a port after it: neither names of users nor bare IPv6 addresses are possible.
  const [, afterColon] = /^[^:]*:\/\/[^:]+:(.*)$/s.exec(url) ?? []
  if (afterColon !== undefined && !/^\s*\+?\d/.test(afterColon)) return `${bad} (bad port number)`
  const found = splitProxyUrl(url)
  if (typeof found === 'string' || found.hostname === null) return bad
  const port = found.port === '' ? (found.scheme === 'https' ? 443 : 80) : Number(found.port)
  if (!(port > 0 && port <= 65_535)) return `${bad} (bad port number)`
  const { scheme, hostname } = found
  const encoded = credentials === undefined ? null : `Basic ${Buffer.from(credentials, 'latin1').toString('base64')}`
  const remote: RemoteProxy = { of, pattern, scheme, hostname, port, credentials: encoded }
  config.remotes = [...config.remotes, remote]
  return undefined
}
