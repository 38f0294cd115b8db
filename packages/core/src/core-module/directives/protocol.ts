import { directive, type SetResult } from '@gatewright/api'
import { internals } from '../../config/command-impl.ts'
import type { CoreServerConfig } from '../../model/server-config.ts'
import { rangeError } from './number-words.ts'
import { accepted, atoi, type CoreTable, GLOBAL, oneOf, SERVERS } from './types.ts'

/** The protocol: limits, timeouts, strictness for requests, encoded slashes in URLs. */
export const protocolDirectives: CoreTable = {
  Timeout: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'seconds without progress after which a connection is closed',
    set: (config, text) => {
      config.timeout = atoi(text) * 1000
    },
  }),
  LimitRequestLine: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'maximum length of a request line in bytes',
    set: headLimit('LimitRequestLine', 'a non-negative integer', (config, limit) => {
      config.limitRequestLine = limit
    }),
  }),
  LimitRequestFieldSize: directive.take1({
    scope: 'server',
    context: SERVERS,
    declaredAs: 'LimitRequestFieldsize',
    help: 'maximum length of a header field in bytes',
    set: headLimit('LimitRequestFieldsize', 'a non-negative integer', (config, limit) => {
      config.limitRequestFieldSize = limit
    }),
  }),
  LimitRequestFields: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'maximum number of header fields; 0 for no limit',
    set: headLimit('LimitRequestFields', 'a non-negative integer (0 = no limit)', (config, limit) => {
      config.limitRequestFields = limit
    }),
  }),
  LimitInternalRecursion: directive.take12({
    scope: 'server',
    context: SERVERS,
    help: 'maximum number of internal redirects, and maximum depth of sub-requests',
    set: (config, first, second, command) => {
      const redirects = atoi(first)
      const depth = second === undefined ? redirects : atoi(second)
      if (redirects < 1 || depth < 1) return 'The recursion limit must be greater than zero.'
      if (redirects < 4)
        command.report('warn', 'AH00119', 'Limiting internal redirects to very low numbers may cause normal requests to fail.')
      if (second !== undefined && depth < 4) {
        const text = 'Limiting the subrequest depth to a very low level may cause normal requests to fail.'
        command.report('warn', 'AH00120', text)
      }
      config.redirectLimit = redirects
      config.subrequestLimit = depth
      return undefined
    },
  }),
  LimitComputingTime: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'maximum computing time in seconds of one request, or of reading one .htaccess file; 0 or unlimited for no limit',
    set: (config, text) => {
      const seconds = text.toLowerCase() === 'unlimited' ? 0 : Number(text)
      if (!/^(\d{1,6}(\.\d{1,3})?|unlimited)$/i.test(text)) return 'LimitComputingTime takes a number of seconds, or unlimited'
      config.computingTime = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000
      return undefined
    },
  }),
  AllowEncodedSlashes: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'how %2F in a path is treated',
    set: oneOf(['on', 'off', 'nodecode'], 'AllowEncodedSlashes must be On, Off, or NoDecode', (config, word) => {
      config.allowEncodedSlashes = word
    }),
  }),
  MergeSlashes: directive.flag({
    scope: 'server',
    context: SERVERS,
    help: 'whether consecutive slashes in a path are merged',
    set: (config, on) => {
      config.mergeSlashes = on
    },
  }),
  TraceEnable: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'whether the server answers TRACE requests',
    set: oneOf(['on', 'off', 'extended'], "TraceEnable must be one of 'on', 'off', or 'extended'", (config, word) => {
      config.traceEnable = word
    }),
  }),
  HttpProtocolOptions: directive.iterate({
    scope: 'server',
    context: SERVERS,
    help: 'how strictly the server parses requests',
    set: (config, text) => {
      const option = PROTOCOL_OPTIONS[text.toLowerCase()]
      if (option === undefined) {
        return "HttpProtocolOptions accepts 'Unsafe' or 'Strict' (default), 'RegisteredMethods' or 'LenientMethods' (default), and 'Require1.0' or 'Allow0.9' (default)"
      }
      const { setting, on, rivals } = option
      if (config[setting] !== undefined && config[setting] !== on) return `HttpProtocolOptions ${rivals} are mutually exclusive`
      config[setting] = on
      return undefined
    },
  }),
  RegisterHttpMethod: directive.iterate({
    scope: 'server',
    context: GLOBAL,
    help: 'names of additional request methods',
    set: (_config, name, command) => {
      if (command.services.methodNumber(name, { register: true }) === undefined) return `Could not register method '${name}'`
      return undefined
    },
  }),
  StrictHostCheck: directive.flag({
    scope: 'server',
    context: SERVERS,
    help: 'whether requests for unknown host names are rejected',
    set: (config, on) => {
      config.strictHostCheck = on
    },
  }),
  MergeTrailers: directive.flag({
    scope: 'server',
    context: SERVERS,
    help: 'trailer fields are never merged into the header fields',
    effect: 'none',
    set: (config, on) => {
      config.mergeTrailers = on
    },
  }),
  RegexDefaultOptions: directive.argv({
    scope: 'server',
    context: GLOBAL,
    help: 'default options of all regular expressions',
    set: (_config, words, command) => {
      for (const word of words) {
        const error = regexOption(word, command)
        if (error !== undefined) return error
      }
      return undefined
    },
  }),
  AsyncFilter: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'the server always writes responses asynchronously',
    effect: 'none',
    set: accepted,
  }),
  FlushMaxThreshold: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'the HTTP engine manages its own buffers',
    effect: 'none',
    set: (_config, text) => rangeError(text, 0, '(4294967295U))'),
  }),
  FlushMaxPipelined: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'the HTTP engine manages its own buffers',
    effect: 'none',
    set: (_config, text) => rangeError(text, -1, '(2147483647)'),
  }),
}

const PROTOCOL_OPTIONS: Readonly<
  Record<
    string,
    { readonly setting: 'strict' | 'registeredMethods' | 'allowHttp09'; readonly on: boolean; readonly rivals: string }
  >
> = {
  strict: { setting: 'strict', on: true, rivals: "'Strict' and 'Unsafe'" },
  unsafe: { setting: 'strict', on: false, rivals: "'Strict' and 'Unsafe'" },
  registeredmethods: { setting: 'registeredMethods', on: true, rivals: "'RegisteredMethods' and 'LenientMethods'" },
  lenientmethods: { setting: 'registeredMethods', on: false, rivals: "'RegisteredMethods' and 'LenientMethods'" },
  'allow0.9': { setting: 'allowHttp09', on: true, rivals: "'Allow0.9' and 'Require1.0'" },
  'require1.0': { setting: 'allowHttp09', on: false, rivals: "'Allow0.9' and 'Require1.0'" },
}

/** Directives of http_core.c. */
export const keepAliveDirectives: CoreTable = {
  KeepAlive: directive.flag({
    scope: 'server',
    context: SERVERS,
    help: 'whether a connection can carry several requests',
    set: (config, on) => {
      config.keepAlive = on
    },
  }),
  KeepAliveTimeout: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'how long a connection waits for the next request',
    set: (config, text) => {
      const time = interval(text)
      if (time === undefined) return 'KeepAliveTimeout has wrong format'
      config.keepAliveTimeout = time
      return undefined
    },
  }),
  MaxKeepAliveRequests: directive.take1({
    scope: 'server',
    context: SERVERS,
    help: 'maximum number of requests per connection; 0 for no limit',
    set: (config, text) => {
      config.maxKeepAliveRequests = atoi(text)
    },
  }),
}

const UNITS: Readonly<Record<string, number>> = { '': 1000, ms: 1, s: 1000, min: 60_000, mi: 60_000, h: 3_600_000 }

/** A number with a unit (ms, s, min, h; seconds without), in milliseconds. */
function interval(text: string): number | undefined {
  const match = /^(\d+)([a-z]*)$/i.exec(text)
  const unit = match === null ? undefined : UNITS[match[2].toLowerCase()]
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit
}

function regexOption(word: string, command: Parameters<typeof internals>[0]): string | undefined {
  const { process } = internals(command).context.configuration
  const sign = word[0] === '+' || word[0] === '-' ? word[0] : ''
  const on = sign !== '-'
  const name = sign === '' ? word : word.slice(1)
  switch (name.toLowerCase()) {
    case 'icase':
      process.regexIgnoreCase = on
      return undefined
    case 'dotall':
      process.regexDotAll = on
      return undefined
    case 'dollar_endonly':
    case 'no_dollar_endonly':
      process.regexDollarEndOnly = on
      return undefined
    case 'none':
      Object.assign(process, { regexIgnoreCase: false, regexExtended: false, regexDotAll: false, regexDollarEndOnly: false })
      return undefined
    default:
      return `RegexDefaultOptions: option '${name}' unknown`
  }
}

/** @param wanted the valid argument, for the message */
function headLimit(
  name: string,
  wanted: string,
  store: (config: CoreServerConfig, limit: number) => void,
): (config: CoreServerConfig, text: string) => SetResult {
  return (config, text) => {
    const limit = atoi(text)
    if (limit < 0) return `${name} "${text}" must be ${wanted}`
    store(config, limit)
    return undefined
  }
}
