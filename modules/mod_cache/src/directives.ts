import { type Command, contexts, type DirectiveTable, directive, type SectionInfo, type SetResult } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import { parseCacheUrl } from './cache-url.ts'
import type { CacheConfig, CacheServerConfig } from './config.ts'

const IN_FILES = { scope: 'directory', context: ['server', 'virtualhost', 'directory', 'proxy'] } as const
const IN_SERVERS = { scope: 'server', context: contexts.inServers } as const

type Numbers = 'defaultExpire' | 'minExpire' | 'maxExpire'
type Flags =
  | 'ignoresNoLastMod'
  | 'storesExpired'
  | 'storesNoStore'
  | 'storesPrivate'
  | 'cacheHeader'
  | 'detailHeader'
  | 'staleOnError'
type ServerFlags = 'quickHandler' | 'ignoresCacheControl' | 'ignoresQueryString' | 'lock'

export const directives: DirectiveTable<CacheConfig, CacheServerConfig> = {
  CacheEnable: directive.take12<CacheConfig>({
    ...IN_FILES,
    help: 'A cache type and partial URL prefix below which caching is enabled',
    set: enable,
  }),
  CacheDisable: directive.take1<CacheConfig>({
    ...IN_FILES,
    help: 'A partial URL prefix below which caching is disabled',
    set: disable,
  }),
  CacheMaxExpire: seconds('maxExpire', 'The maximum time in seconds to cache a document'),
  CacheMinExpire: seconds('minExpire', 'The minimum time in seconds to cache a document'),
  CacheDefaultExpire: seconds('defaultExpire', 'The default time in seconds to cache a document'),
  CacheLastModifiedFactor: directive.take1<CacheConfig>({
    ...IN_FILES,
    help: 'The factor used to estimate Expires date from LastModified date',
    set: (config, word) => {
      const factor = Number.parseFloat(word)
      if (Number.isNaN(factor)) return 'CacheLastModifiedFactor value must be a float'
      config.lastModifiedFactor = factor
      return undefined
    },
  }),
  CacheQuickHandler: serverFlag('quickHandler', 'Run the cache in the quick handler, default on'),
  CacheIgnoreNoLastMod: flag('ignoresNoLastMod', 'Ignore Responses where there is no Last Modified Header'),
  CacheIgnoreCacheControl: serverFlag('ignoresCacheControl', 'Ignore requests from the client for uncached content'),
  CacheStoreExpired: flag('storesExpired', 'Store responses that have expired, and ask the origin again before they are served'),
  CacheStorePrivate: flag('storesPrivate', "Ignore 'Cache-Control: private' and store private content"),
  CacheStoreNoStore: flag('storesNoStore', "Ignore 'Cache-Control: no-store' and store sensitive content"),
  CacheIgnoreHeaders: directive.iterate<CacheServerConfig>({
    ...IN_SERVERS,
    help: 'A space separated list of headers that should not be stored by the cache',
    set: (config, word) => {
      config.ignoredHeaders = isNone(word) ? [] : [...(config.ignoredHeaders ?? []), word.toLowerCase()]
    },
  }),
  CacheIgnoreQueryString: serverFlag('ignoresQueryString', 'Ignore query-string when caching'),
  CacheIgnoreURLSessionIdentifiers: directive.iterate<CacheServerConfig>({
    ...IN_SERVERS,
    help: 'A space separated list of session identifiers that should be ignored for creating the key of the cached entity.',
    set: (config, word) => {
      config.sessionIdentifiers = isNone(word) ? [] : [...(config.sessionIdentifiers ?? []), word]
    },
  }),
  CacheLock: serverFlag('lock', 'Enable or disable the thundering herd lock.'),
  CacheLockPath: directive.take1<CacheServerConfig>({
    ...IN_SERVERS,
    help: "The thundering herd lock path. Defaults to the '/mod_cache-lock' directory in the system temp directory.",
    set: (config, path, command) => {
      config.lockPath = command.serverRelative(path)
    },
  }),
  CacheLockMaxAge: directive.take1<CacheServerConfig>({
    ...IN_SERVERS,
    help: 'Maximum age of any thundering herd lock.',
    set: (config, word) => {
      const age = leadingInteger(word)
      if (age <= 0) return 'CacheLockMaxAge value must be a non-zero positive integer'
      config.lockMaxAge = age * 1000
      return undefined
    },
  }),
  CacheHeader: flag('cacheHeader', 'Add a X-Cache header to responses. Default is off.'),
  CacheDetailHeader: flag('detailHeader', 'Add a X-Cache-Detail header to responses. Default is off.'),
  CacheKeyBaseURL: directive.take1<CacheServerConfig>({
    ...IN_SERVERS,
    help: 'Override the base URL of reverse proxied cache keys.',
    set: (config, text) => {
      const parts = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/(?:\[([^\]]*)\]|([^:/?#]*))?(?::(\d{1,5}))?)?/i.exec(text)
      const scheme = parts?.[1]?.toLowerCase() ?? null
      const host = (parts?.[2] ?? parts?.[3] ?? '').toLowerCase()
      const port = parts?.[4] === undefined ? null : Number(parts[4])
      if (scheme === null && host === '' && port === null) {
        return `URL '${text}' must contain at least one of a scheme, a hostname or a port.`
      }
      config.keyBase = { scheme, host: host === '' ? null : host, port }
      return undefined
    },
  }),
  CacheStaleOnError: flag('staleOnError', 'Serve stale content on 5xx errors if present. Defaults to on.'),
}

function flag(key: Flags, help: string) {
  return directive.flag<CacheConfig>({
    ...IN_FILES,
    help,
    set: (config, on) => {
      config[key] = on
    },
  })
}

function serverFlag(key: ServerFlags, help: string) {
  return directive.flag<CacheServerConfig>({
    ...IN_SERVERS,
    help,
    set: (config, on) => {
      config[key] = on
    },
  })
}

/** A time in seconds. httpd takes any text, as its leading number. */
function seconds(key: Numbers, help: string) {
  return directive.take1<CacheConfig>({
    ...IN_FILES,
    help,
    set: (config, word) => {
      config[key] = leadingInteger(word)
    },
  })
}

function isNone(word: string): boolean {
  return word.toLowerCase() === 'none'
}

function enable(config: CacheConfig, storage: string, text: string | undefined, command: Command): SetResult {
  const misplaced = misplacedIn(command)
  if (misplaced !== undefined) return misplaced
  const { section } = command
  if (isServerLevel(section)) {
    if (text === undefined) return `CacheEnable provider (${storage}) is missing an URL.`
    const url = parseCacheUrl(text)
    // httpd accepts any word; one that is no URL covers no request.
    if (url !== undefined) config.enabled = [...config.enabled, { storage, url }]
    return undefined
  }
  const url = text === undefined ? null : parseCacheUrl(text)
  if (url === undefined || (text !== undefined && !text.startsWith(section.argument))) {
    return 'When in a Location, CacheEnable must specify a path or an URL below that location.'
  }
  config.enabled = [...config.enabled, { storage, url }]
  return undefined
}

function disable(config: CacheConfig, text: string, command: Command): SetResult {
  const misplaced = misplacedIn(command)
  if (misplaced !== undefined) return misplaced
  if (!isServerLevel(command.section)) {
    if (text.toLowerCase() !== 'on') return "CacheDisable must be followed by the word 'on' when in a Location."
    config.disabledHere = true
    return undefined
  }
  const url = parseCacheUrl(text)
  if (url === undefined) return 'CacheDisable must specify a path or an URL.'
  config.disabled = [...config.disabled, url]
  return undefined
}

/** An error text in a section that is not about URLs. */
function misplacedIn({ name, section, container }: Command): string | undefined {
  if (/^limit(?:except)?$/i.test(container ?? '')) return `${name} cannot occur within <Limit> or <LimitExcept> section`
  for (let around: SectionInfo | null = section; around !== null; around = around.parent) {
    if (!ABOUT_URLS.has(around.kind)) return `${name} cannot occur within <${around.kind}> section`
  }
  return undefined
}

const ABOUT_URLS: ReadonlySet<SectionInfo['kind']> = new Set([
  'server',
  'VirtualHost',
  'Location',
  'LocationMatch',
  'Proxy',
  'ProxyMatch',
])

function isServerLevel({ kind }: SectionInfo): boolean {
  return kind === 'server' || kind === 'VirtualHost'
}
