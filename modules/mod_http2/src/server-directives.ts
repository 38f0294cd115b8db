import { contexts, type Directive, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { leadingNumber, readTime } from './numbers.ts'
import type { SectionConfig, ServerConfig } from './settings.ts'

const IN_SERVERS = { scope: 'server', context: contexts.inServers } as const

const NOT_A_SWITCH = 'value must be On or Off'
const WINDOW_LEAST = 1024
const DIARY_MOST = 32_768

/** Directives of servers. */
export const serverDirectives: DirectiveTable<SectionConfig, ServerConfig> = {
  H2MaxSessionStreams: numberDirective('maximum number of open streams per session', (config, count) => {
    if (count < 1) return 'value must be > 0'
    config.maxStreams = count
    return undefined
  }),
  H2WindowSize: numberDirective('window size on client DATA', (config, size) => {
    if (size < WINDOW_LEAST || size > 0x7fff_ffff) return `value must be >= ${WINDOW_LEAST}`
    config.windowSize = size
    return undefined
  }),
  H2MinWorkers: ignored('minimum number of worker threads per child', 'value must be > 0', (count) => count > 0),
  H2MaxWorkers: ignored('maximum number of worker threads per child', 'value must be > 0', (count) => count > 0),
  H2MaxWorkerIdleSeconds: ignored('maximum number of idle seconds before a worker shuts down', '', () => true),
  H2StreamMaxMemSize: ignored(
    'maximum number of bytes buffered in memory for a stream',
    'value must be >= 1024',
    (size) => size >= 1024,
  ),
  H2SerializeHeaders: directive.take1({
    ...IN_SERVERS,
    help: 'disabled, this directive has no longer an effect.',
    effect: 'none',
    set: (_config: ServerConfig, word, command) => {
      if (word.toLowerCase() !== 'on') return undefined
      const text = `${command.name}: this feature has been disabled and the directive to enable it is ignored.`
      command.report('warn', 'AH10307', text)
      return undefined
    },
  }),
  H2ModernTLSOnly: switchDirective('off to not impose RFC 7540 restrictions on TLS', (config, isOn) => {
    config.modernTlsOnly = isOn
  }),
  H2Direct: switchDirective('on to enable direct HTTP/2 mode', (config, isOn) => {
    config.direct = isOn
  }),
  H2SessionExtraFiles: directive.take1({
    ...IN_SERVERS,
    help: 'number of extra file a session might keep open (obsolete)',
    effect: 'none',
    set: (_config: ServerConfig, _word, command) => {
      command.report('warn', '', `${command.name} is obsolete and will be ignored`)
      return undefined
    },
  }),
  H2TLSWarmUpSize: ignored('number of bytes on TLS connection before doing max writes', '', () => true),
  H2TLSCoolDownSecs: ignored('seconds of idle time on TLS before shrinking writes', '', () => true),
  H2PushPriority: directive.take23({
    ...IN_SERVERS,
    help: 'define priority of PUSHed resources per content type',
    effect: 'none',
    set: (_config: ServerConfig, _type, dependency, weight) => judgePriority(dependency.toLowerCase(), weight),
  }),
  H2PushDiarySize: numberDirective('size of push diary', (config, size) => {
    if (size < 0) return 'value must be >= 0'
    if (size > 0 && (size & (size - 1)) !== 0) return 'value must a power of 2'
    if (size > DIARY_MOST) return 'value must <= 65536'
    config.pushDiarySize = size
    return undefined
  }),
  H2EarlyHints: switchDirective('on to enable interim status 103 responses', (config, isOn) => {
    config.earlyHints = isOn
  }),
  H2Padding: numberDirective('set payload padding', (config, bits) => {
    if (bits < 0) return 'number of bits must be >= 0'
    if (bits > 8) return 'number of bits must be <= 8'
    config.padding = bits
    return undefined
  }),
  H2OutputBuffering: directive.take1({
    ...IN_SERVERS,
    help: 'set stream output buffer on/off',
    effect: 'none',
    set: (_config: ServerConfig, word) => (readSwitch(word) === null ? NOT_A_SWITCH : undefined),
  }),
  H2StreamTimeout: directive.take1({
    ...IN_SERVERS,
    help: 'set stream timeout',
    set: (config: ServerConfig, word) => {
      const time = readTime(word)
      if (time === null) return 'Invalid timeout value'
      config.streamTimeout = time
      return undefined
    },
  }),
  H2MaxDataFrameLen: numberDirective('maximum number of bytes in a single HTTP/2 DATA frame', (config, size) => {
    if (size < 0) return 'value must be 0 or larger'
    config.maxDataFrame = size
    return undefined
  }),
  H2MaxHeaderBlockLen: numberDirective('maximum number of bytes in a response header block', (config, size) => {
    if (size < 0) return 'value must be 0 or larger'
    config.maxHeaderBlock = size
    return undefined
  }),
  H2MaxStreamErrors: numberDirective('maximum number of flow control errors tolerated', (config, count) => {
    if (count < 0) return 'value must be 0 or larger'
    config.maxStreamErrors = count
    return undefined
  }),
  H2WebSockets: switchDirective('off to disable WebSockets over HTTP/2', (config, isOn) => {
    config.webSockets = isOn
  }),
}

/** @returns null for a word that is neither On nor Off */
export function readSwitch(word: string): boolean | null {
  const lower = word.toLowerCase()
  return lower === 'on' ? true : lower === 'off' ? false : null
}

type ServerRow = Directive<SectionConfig, ServerConfig>

function numberDirective(help: string, set: (config: ServerConfig, value: number) => SetResult): ServerRow {
  return directive.take1({ ...IN_SERVERS, help, set: (config: ServerConfig, word) => set(config, leadingNumber(word)) })
}

function switchDirective(help: string, set: (config: ServerConfig, isOn: boolean) => void): ServerRow {
  return directive.take1({
    ...IN_SERVERS,
    help,
    set: (config: ServerConfig, word) => {
      const isOn = readSwitch(word)
      if (isOn === null) return NOT_A_SWITCH
      set(config, isOn)
      return undefined
    },
  })
}

/** A number that changes nothing here, but is checked. */
function ignored(help: string, error: string, isValid: (value: number) => boolean): ServerRow {
  return directive.take1({
    ...IN_SERVERS,
    help,
    effect: 'none',
    set: (_config: ServerConfig, word) => (isValid(leadingNumber(word)) ? undefined : error),
  })
}

function judgePriority(dependency: string, weight: string | undefined): SetResult {
  if (dependency !== 'after' && dependency !== 'before' && dependency !== 'interleaved') {
    return "dependency must be one of 'After', 'Before' or 'Interleaved'"
  }
  if (weight === undefined) return undefined
  if (dependency === 'before') return "dependency 'Before' does not allow a weight"
  return leadingNumber(weight) < 1 ? 'weight must be a number >= 1' : undefined
}
