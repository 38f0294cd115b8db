import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { readCiphers } from '../cipher-list.ts'
import { applyOptions } from '../options.ts'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { type CheckedPath, checkedFile, checkedFolder } from './checked-paths.ts'
import { isOutside, leadingNumber, verifyMode } from './words.ts'

const ANYWHERE = { scope: 'directory', context: contexts.anywhere, override: 'AuthConfig' } as const
const SECTIONS = { scope: 'directory', context: contexts.inSections, override: 'AuthConfig' } as const

/** Directives of sections and .htaccess files. Some of them set something else, of the server, outside of sections. */
export const sectionDirectives: DirectiveTable<SectionSettings, ServerSettings> = {
  SSLCipherSuite: directive.take12({
    ...ANYWHERE,
    help: "Colon-delimited list of permitted SSL Ciphers, optional preceded by protocol identifier ('XXX:...:XXX' - see manual)",
    set: setCiphers,
  }),
  SSLCACertificateFile: directive.take1({
    ...ANYWHERE,
    help: "SSL CA Certificate file ('/path/to/file' - PEM encoded)",
    set: (config: SectionSettings, text, command) =>
      setAuthority(command, checkedFile(text, command), (path) => void (config.server.caFile = path)),
  }),
  SSLCACertificatePath: directive.take1({
    ...ANYWHERE,
    help: "SSL CA Certificate path ('/path/to/dir' - contains PEM encoded files)",
    set: (config: SectionSettings, text, command) =>
      setAuthority(command, checkedFolder(text, command), (path) => void (config.server.caPath = path)),
  }),
  SSLVerifyClient: directive.take1({
    ...ANYWHERE,
    help: "SSL Client verify type ('none', 'optional', 'require', 'optional_no_ca')",
    set: (config: SectionSettings, word, command) => {
      const mode = verifyMode(word)
      if (mode === undefined) return `${command.name}: Invalid argument '${word}'`
      if (isOutside(command)) config.server.verifyClient = mode
      else config.verifyClient = mode
      return undefined
    },
  }),
  SSLVerifyDepth: directive.take1({
    ...ANYWHERE,
    help: "SSL Client verify depth ('N' - number of intermediate certificates)",
    set: (config: SectionSettings, word, command) => {
      const depth = leadingNumber(word)
      if (depth < 0) return `${command.name}: Invalid argument '${word}'`
      if (isOutside(command)) config.server.verifyDepth = depth
      else config.verifyDepth = depth
      return undefined
    },
  }),
  SSLUserName: directive.take1({
    ...ANYWHERE,
    help: 'Set user name to SSL variable value',
    set: (config: SectionSettings, name) => void (config.userName = name),
  }),
  SSLOptions: directive.raw({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'Options',
    help: "Set one or more options to configure the SSL engine('[+-]option[=value] ...' - see manual)",
    set: (config: SectionSettings, text, command) => {
      const options = applyOptions(config.options, command.words(text))
      if (typeof options === 'string') return options
      config.options = options
      return undefined
    },
  }),
  // httpd ignores words after it.
  SSLRequireSSL: directive.raw({
    ...SECTIONS,
    help: 'Require the SSL protocol for the per-directory context (no arguments)',
    set: (config: SectionSettings) => void (config.requireSsl = true),
  }),
  SSLRequire: directive.raw({
    ...SECTIONS,
    help: 'Require a boolean expression to evaluate to true for granting access(arbitrary complex boolean expression - see manual)',
    set: addRequirement,
  }),
  SSLRenegBufferSize: directive.take1({
    ...SECTIONS,
    help: 'Configure the amount of memory that will be used for buffering the request body if a per-location SSL renegotiation is required due to changed access control requirements',
    set: (config: SectionSettings, word) => {
      const size = leadingNumber(word)
      if (size < 0) return `Invalid size for SSLRenegBufferSize: ${word}`
      config.renegotiationBuffer = size
      return undefined
    },
  }),
  SSLLog: gone('SSLLog directive is no longer supported - use ErrorLog.'),
  SSLLogLevel: gone('SSLLogLevel directive is no longer supported - use LogLevel.'),
}

function setCiphers(config: SectionSettings, first: string, second: string | undefined, command: Command): SetResult {
  const line = readCiphers(first, second)
  if ('error' in line) return line.error
  if (isOutside(command)) {
    if (line.list !== undefined) config.server.cipherList = line.list
    else config.server.cipherSuites = line.suites
    return undefined
  }
  if (line.list === undefined) return 'TLSv1.3 ciphers cannot be set inside a directory context'
  config.cipherList = line.list
  return undefined
}

function setAuthority(command: Command, checked: CheckedPath, set: (path: string) => void): SetResult {
  if ('error' in checked) return checked.error
  if (!isOutside(command)) return 'Your SSL library does not have support for per-directory CA'
  set(checked.path)
  return undefined
}

function addRequirement(config: SectionSettings, source: string, command: Command): SetResult {
  const condition = command.services.conditionByLength(source, command)
  if ('error' in condition) return `SSLRequire: ${condition.error}`
  config.requirements = [...config.requirements, { source, condition }]
  return undefined
}

function gone(text: string): (typeof sectionDirectives)[`SSL${string}`] {
  return directive.raw({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'All',
    help: text,
    set: (_config: SectionSettings) => text,
  })
}
