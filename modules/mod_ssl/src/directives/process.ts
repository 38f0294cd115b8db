import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { readCacheArgument } from '../cache-argument.ts'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { exists } from './checked-paths.ts'
import { leadingNumber } from './words.ts'

const MAIN = { scope: 'server', context: contexts.mainServer } as const

/** Directives of the main server alone. */
export const processDirectives: DirectiveTable<SectionSettings, ServerSettings> = {
  SSLPassPhraseDialog: directive.take1({
    ...MAIN,
    help: "SSL dialog mechanism for the pass phrase query ('builtin', '|/path/to/pipe_program', or 'exec:/path/to/cgi_program')",
    set: setDialog,
  }),
  SSLSessionCache: directive.take1({
    ...MAIN,
    help: "SSL Session Cache storage ('none', 'nonenotnull', 'dbm:/path/to/file')",
    set: ({ process }: ServerSettings, text, command) => {
      const lower = text.toLowerCase()
      if (lower === 'none' || lower === 'nonenotnull') {
        process.sessionCache = { kind: lower }
        return undefined
      }
      const choice = readCacheArgument(
        text,
        command,
        (kind, known) =>
          `'${kind}' session cache not supported (known names: ${known}). Maybe you need to load the appropriate socache module (mod_socache_${kind}?).`,
      )
      if ('error' in choice) return `SSLSessionCache: ${choice.error}`
      process.sessionCache = choice
      return undefined
    },
  }),
  SSLStaplingCache: directive.take1({
    ...MAIN,
    help: "SSL Stapling Response Cache storage (`dbm:/path/to/file')",
    set: ({ process }: ServerSettings, text, command) => {
      const choice = readCacheArgument(
        text,
        command,
        (kind, known) =>
          `'${kind}' stapling cache not supported (known names: ${known}) Maybe you need to load the appropriate socache module (mod_socache_${kind}?)`,
      )
      if ('error' in choice) return `SSLStaplingCache: ${choice.error}`
      process.staplingCache = choice
      return undefined
    },
  }),
  SSLCryptoDevice: directive.take1({
    ...MAIN,
    help: "SSL external Crypto Device usage ('builtin', '...')",
    effect: 'none',
    set: (_config: ServerSettings, name) => {
      if (name.toLowerCase() === 'builtin') return undefined
      if (name === 'dynamic') return 'SSLCryptoDevice: this server cannot load crypto devices; the only one is builtin'
      return "SSLCryptoDevice: Invalid argument; must be one of: 'builtin' (none), 'dynamic' (Dynamic engine loading support)"
    },
  }),
  SSLRandomSeed: directive.take23({
    ...MAIN,
    help: "SSL Pseudo Random Number Generator (PRNG) seeding source ('startup|connect builtin|file:/path|exec:/path [bytes]')",
    effect: 'none',
    set: (_config: ServerSettings, context, source, bytes, command) => checkSeed(context, source, bytes, command),
  }),
  SSLFIPS: directive.flag({
    ...MAIN,
    help: "Enable FIPS-140 mode (`on', `off')",
    set: ({ process }: ServerSettings, on) => {
      if (process.fips !== undefined && process.fips !== on) return 'Conflicting SSLFIPS options, cannot be both On and Off'
      process.fips = on
      return undefined
    },
  }),
  SSLVHostSNIPolicy: directive.take1({
    ...MAIN,
    help: 'SSL VirtualHost SNI compatibility policy setting',
    set: ({ process }: ServerSettings, word) => {
      const policy = SNI_POLICIES.find((one) => one === word.toLowerCase())
      if (policy === undefined) return `Invalid SSLVhostSNIPolicy argument '${word}'`
      process.sniPolicy = policy
      return undefined
    },
  }),
}

const SNI_POLICIES = ['strict', 'secure', 'authonly', 'insecure'] as const

function setDialog(config: ServerSettings, text: string, command: Command): SetResult {
  if (text.toLowerCase() === 'builtin') config.passPhraseDialog = { kind: 'builtin' }
  else if (text.startsWith('exec:') && text.length > 5) {
    const program = command.serverRelative(text.slice(5))
    if (!exists(program, command)) return `SSLPassPhraseDialog: file '${program}' does not exist`
    config.passPhraseDialog = { kind: 'exec', program }
  } else if (text.startsWith('|') && text.length > 1) config.passPhraseDialog = { kind: 'pipe', program: text.slice(1) }
  else return 'SSLPassPhraseDialog: Invalid argument'
  return undefined
}

/** Node's random numbers come from the operating system, so that a line is checked and changes nothing. */
function checkSeed(context: string, source: string, bytes: string | undefined, command: Command): SetResult {
  const when = context.toLowerCase()
  if (when !== 'startup' && when !== 'connect') return `SSLRandomSeed: invalid context: \`${context}'`
  const isBuiltin = source.toLowerCase() === 'builtin'
  if (source.length > 4 && source.startsWith('egd:')) {
    return `Invalid SSLRandomSeed entropy source \`${source}': This version of OpenSSL does not support the Entropy Gathering Daemon (EGD).`
  }
  if (!isBuiltin) {
    const path = command.serverRelative(source.replace(/^(?:file|exec):(?=.)/, ''))
    if (!exists(path, command)) return `SSLRandomSeed: source path '${path}' does not exist`
  }
  if (bytes === undefined) return undefined
  if (isBuiltin) return 'SSLRandomSeed: byte specification not allowed for builtin seed source'
  return leadingNumber(bytes) < 0 ? 'SSLRandomSeed: invalid number of bytes specified' : undefined
}
