import { directive, type ResourceLimit, type SetResult } from '@gatewright/api'
import { splitWords } from '@gatewright/config'
import { hasReasonPhrase } from '../../base/status-lines.ts'
import { internals } from '../../config/command-impl.ts'
import type { ErrorDocument, MutableCoreDirectory } from '../../model/directory-config.ts'
import { parseEtagWords } from './etag-words.ts'
import { rangeError } from './number-words.ts'
import { parseOptions } from './options-words.ts'
import { ANYWHERE, atoi, CONF_FILES, type CoreLine, type CoreTable, oneOf } from './types.ts'

const FILE_INFO = { scope: 'directory', context: ANYWHERE, override: 'FileInfo' } as const

/** What applies to folders, URLs and files: Options, ErrorDocument, types, limits. */
export const perDirectoryDirectives: CoreTable = {
  Options: directive.raw({
    scope: 'directory',
    context: ANYWHERE,
    override: 'Options',
    help: 'features available in a folder',
    set: (config, text, command) => {
      const { grant } = internals(command).context
      const parsed = parseOptions(splitWords(text), config.options, grant === null ? null : grant.options)
      if (typeof parsed === 'string') return parsed
      config.options = parsed
      return undefined
    },
  }),
  ErrorDocument: directive.take2({
    ...FILE_INFO,
    help: 'a status code, and the response for it: a text, a local path or a URL',
    set: (config, code, word, command) => {
      const status = atoi(code)
      if (!hasReasonPhrase(status)) return `Unsupported HTTP response code ${code}`
      const document = parseErrorDocument(word, command)
      if ('error' in document) return document.error
      if (status === 401 && document.kind === 'url') {
        command.report(
          'notice',
          'AH00113',
          `${command.file}:${command.line} cannot use a full URL in a 401 ErrorDocument directive --- ignoring!`,
        )
        return undefined
      }
      config.errorDocuments ??= new Map()
      config.errorDocuments.set(status, document)
      return undefined
    },
  }),
  ForceType: directive.take1({
    ...FILE_INFO,
    help: 'media type of all files in this section',
    set: (config, type) => {
      config.forceType = type.toLowerCase() === 'none' ? null : type.toLowerCase()
    },
  }),
  SetHandler: directive.take1({
    ...FILE_INFO,
    help: 'handler for all files in this section',
    set: (config, name, command) => {
      if (name.toLowerCase() === 'none') {
        config.setHandler = null
        return undefined
      }
      const text = command.services.text(name, command)
      if ('error' in text) return `Can't parse expression : ${text.error}`
      config.setHandler = { text }
      return undefined
    },
  }),
  AddDefaultCharset: directive.take1({
    ...FILE_INFO,
    help: 'charset parameter for text responses that have none',
    set: (config, text) => {
      const lower = text.toLowerCase()
      config.addDefaultCharset = lower === 'off' ? null : lower === 'on' ? 'iso-8859-1' : text
    },
  }),
  DefaultType: directive.take1({
    ...FILE_INFO,
    help: 'none; since 2.4, any other type is ignored',
    set: (_config, text, command) => {
      if (text.toLowerCase() !== 'none')
        command.report('warn', 'AH00117', `Ignoring deprecated use of DefaultType in line ${command.line} of ${command.file}.`)
    },
  }),
  AcceptPathInfo: directive.take1({
    ...FILE_INFO,
    help: 'whether a URL may have further path segments after the file',
    set: oneOf(['on', 'off', 'default'], 'AcceptPathInfo must be set to on, off or default', (config, word) => {
      config.acceptPathInfo = word
    }),
  }),
  FileETag: directive.raw({
    ...FILE_INFO,
    help: 'attributes of a file that form its ETag',
    set: (config, text) => {
      const parsed = parseEtagWords(splitWords(text), config.etag)
      if (typeof parsed === 'string') return parsed
      config.etag = parsed
      return undefined
    },
  }),
  EnableMMAP: directive.take1({
    ...FILE_INFO,
    help: 'the server chooses how to read each file',
    effect: 'none',
    set: oneOf(['on', 'off'], "parameter must be 'on' or 'off'", () => undefined),
  }),
  EnableSendfile: directive.take1({
    ...FILE_INFO,
    help: 'the server chooses how to read each file',
    effect: 'none',
    set: oneOf(['on', 'off'], "parameter must be 'on' or 'off'", () => undefined),
  }),
  ReadBufferSize: directive.take1({
    scope: 'directory',
    context: CONF_FILES,
    help: 'the server chooses the block size',
    effect: 'none',
    set: (_config, text) => rangeError(text, 0, '(4294967295U))'),
  }),
  ContentDigest: directive.flag({
    scope: 'directory',
    context: ANYWHERE,
    override: 'Options',
    help: 'whether Content-MD5 is sent with files',
    set: (config, on) => {
      config.contentDigest = on
    },
  }),
  LimitRequestBody: directive.take1({
    scope: 'directory',
    context: ANYWHERE,
    override: 'All',
    help: 'maximum length of a request body in bytes; 0 for no limit',
    set: (config, text) => {
      if (!/^\s*\+?\d+$/.test(text)) return 'LimitRequestBody requires a non-negative integer.'
      if (Number(text) > GREATEST_LENGTH) return 'LimitRequestBody argument is not parsable.'
      config.limitRequestBody = Number(text)
      return undefined
    },
  }),
  LimitXMLRequestBody: directive.take1({
    scope: 'directory',
    context: ANYWHERE,
    override: 'All',
    help: 'maximum length of an XML request body in bytes; 0 for no limit',
    set: (config, text) => {
      if (atoi(text) < 0) return 'LimitXMLRequestBody requires a non-negative integer.'
      config.limitXmlRequestBody = atoi(text)
      return undefined
    },
  }),
  MaxRanges: directive.take1({
    scope: 'directory',
    context: CONF_FILES,
    help: 'maximum number of ranges before the whole file is sent',
    set: rangeLimit('MaxRanges', 200, (config, limit) => {
      config.maxRanges = limit
    }),
  }),
  MaxRangeOverlaps: directive.take1({
    scope: 'directory',
    context: CONF_FILES,
    help: 'maximum number of overlapping ranges before the whole file is sent',
    set: rangeLimit('MaxRangeOverlaps', 20, (config, limit) => {
      config.maxRangeOverlaps = limit
    }),
  }),
  MaxRangeReversals: directive.take1({
    scope: 'directory',
    context: CONF_FILES,
    help: 'maximum number of reversals in range order before the whole file is sent',
    set: rangeLimit('MaxRangeReversals', 20, (config, limit) => {
      config.maxRangeReversals = limit
    }),
  }),
  CGIPassAuth: directive.flag({
    scope: 'directory',
    context: ['directory', 'htaccess'],
    override: 'AuthConfig',
    help: 'whether programs and responders get the credentials of clients',
    set: (config, on) => {
      config.cgiPassAuth = on
    },
  }),
  CGIVar: directive.take2({
    ...FILE_INFO,
    help: 'whether REQUEST_URI is that of the client (original-uri) or that of a redirect (current-uri)',
    set: (config, name, rule) => {
      if (name.toUpperCase() !== 'REQUEST_URI') return `Unrecognized CGI variable: "${name}"`
      const word = rule.toLowerCase()
      if (word !== 'current-uri' && word !== 'original-uri') {
        return "Valid rules for REQUEST_URI are 'current-uri' and 'original-uri'"
      }
      config.cgiRequestUri = word === 'current-uri' ? 'current' : 'original'
      return undefined
    },
  }),
  RLimitCPU: resourceLimit('Soft/hard limits for max CPU usage in seconds', (config, limit) => {
    config.cpuLimit = limit
  }),
  RLimitMEM: resourceLimit('Soft/hard limits for max memory usage per process', (config, limit) => {
    config.memoryLimit = limit
  }),
  RLimitNPROC: resourceLimit('soft/hard limits for max number of processes per uid', (config, limit) => {
    config.processLimit = limit
  }),
  QualifyRedirectURL: directive.flag({
    ...FILE_INFO,
    help: 'whether REDIRECT_URL is an absolute URL',
    set: (config, on) => {
      config.qualifyRedirectUrl = on
    },
  }),
  SetOutputFilter: directive.take1({
    ...FILE_INFO,
    help: 'output filters for responses, separated by ;',
    set: (config, text) => {
      config.outputFilters = text.split(';').filter((name) => name !== '')
    },
  }),
  SetInputFilter: directive.take1({
    ...FILE_INFO,
    help: 'input filters for request bodies, separated by ;',
    set: (config, text) => {
      config.inputFilters = text.split(';').filter((name) => name !== '')
    },
  }),
}

/** Limits of the programs that modules run for a request. As in httpd, a word that is no number counts as 0. */
function resourceLimit(help: string, store: Store<ResourceLimit>): CoreLine {
  return directive.take12({
    scope: 'directory',
    context: ANYWHERE,
    override: 'All',
    help,
    set: (config, soft, hard) => store(config, { soft: limitOf(soft), hard: hard === undefined ? null : limitOf(hard) }),
  })
}

function limitOf(word: string): number | 'max' {
  return word.toLowerCase() === 'max' ? 'max' : Number(/^\s*\d{1,15}/.exec(word)?.[0] ?? 0)
}

type Store<V> = (config: MutableCoreDirectory, value: V) => void
/** The greatest signed 64-bit number. */
const GREATEST_LENGTH = 2 ** 63 - 1

type Setter = (config: MutableCoreDirectory, text: string) => SetResult

/** @param standard the meaning of `default` */
function rangeLimit(name: string, standard: number, store: Store<number>): Setter {
  const numberOf = (text: string): number | undefined => {
    switch (text.toLowerCase()) {
      case 'none':
        return 0
      case 'default':
        return standard
      case 'unlimited':
        return Number.POSITIVE_INFINITY
      default:
        return atoi(text) > 0 ? atoi(text) : undefined
    }
  }
  return (config, text) => {
    const limit = numberOf(text)
    if (limit === undefined) return `${name} requires 'none', 'default', 'unlimited' or a positive integer`
    store(config, limit)
    return undefined
  }
}

/**
 * An argument with a blank is a text; any other is `default`, a local path, a full URL or a text. Quotes make
 * no difference.
 */
function parseErrorDocument(word: string, command: Parameters<typeof internals>[0]): ErrorDocument | { readonly error: string } {
  if (word.toLowerCase() === 'default') return { kind: 'default' }
  const text = command.services.text(word, command)
  if ('error' in text) return { error: `Cannot parse expression in ErrorDocument: ${text.error}` }
  if (word.includes(' ')) return { kind: 'text', text }
  if (word.startsWith('/')) return { kind: 'path', path: text }
  return /^[a-z\d+.-]+:/i.test(word) ? { kind: 'url', url: text } : { kind: 'text', text }
}
