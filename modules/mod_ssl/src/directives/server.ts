import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { readConfCommand } from '../conf-commands.ts'
import { readProtocols } from '../protocol-versions.ts'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { checkedFile, checkedFolder } from './checked-paths.ts'
import { leadingNumber, revocationCheck } from './words.ts'

const SERVERS = { scope: 'server', context: contexts.inServers } as const

/** Directives of servers: the engine, its certificates and keys, versions and sessions. */
export const serverDirectives: DirectiveTable<SectionSettings, ServerSettings> = {
  SSLEngine: directive.take1({ ...SERVERS, help: "SSL switch for the protocol engine ('on', 'off')", set: setEngine }),
  SSLCertificateFile: directive.take1({
    ...SERVERS,
    help: "SSL Server Certificate file ('/path/to/file' - PEM or DER encoded)",
    set: (config: ServerSettings, text, command) =>
      withPair(text, command, (path) => {
        config.certificateFiles = [...config.certificateFiles, path]
      }),
  }),
  SSLCertificateKeyFile: directive.take1({
    ...SERVERS,
    help: "SSL Server Private Key file ('/path/to/file' - PEM or DER encoded)",
    set: (config: ServerSettings, text, command) =>
      withPair(text, command, (path) => {
        config.keyFiles = [...config.keyFiles, path]
      }),
  }),
  SSLCertificateChainFile: file(
    "SSL Server CA Certificate Chain file ('/path/to/file' - PEM encoded)",
    (config, path) => void (config.chainFile = path),
  ),
  SSLSessionTicketKeyFile: file(
    "TLS session ticket encryption/decryption key file (RFC 5077) ('/path/to/file' - file with 48 bytes of random data)",
    (config, path) => void (config.ticketKeyFile = path),
  ),
  SSLCADNRequestFile: file(
    "SSL CA Distinguished Name file ('/path/to/file' - PEM encoded to derive acceptable CA names to request)",
    (config, path) => void (config.requestedNamesFile = path),
  ),
  SSLCADNRequestPath: folder(
    "SSL CA Distinguished Name path ('/path/to/dir' - symlink hashes to PEM of acceptable CA names to request)",
    (config, path) => void (config.requestedNamesPath = path),
  ),
  SSLCARevocationFile: file(
    "SSL CA Certificate Revocation List (CRL) file ('/path/to/file' - PEM encoded)",
    (config, path) => void (config.crlFile = path),
  ),
  SSLCARevocationPath: folder(
    "SSL CA Certificate Revocation List (CRL) path ('/path/to/dir' - contains PEM encoded files)",
    (config, path) => void (config.crlPath = path),
  ),
  SSLCARevocationCheck: directive.raw({
    ...SERVERS,
    help: 'SSL CA Certificate Revocation List (CRL) checking mode',
    set: (config: ServerSettings, text, command) => {
      const check = revocationCheck(command.words(text), CRL_WORDS, 'no_crl_for_cert_ok', command)
      if ('error' in check) return check.error
      config.crlCheck = check
      return undefined
    },
  }),
  SSLProtocol: directive.raw({
    ...SERVERS,
    help: "Enable or disable various SSL protocols ('[+-][TLSv1|TLSv1.1|TLSv1.2] ...' - see manual)",
    set: (config: ServerSettings, text, command) => {
      const line = readProtocols(command.name, command.words(text))
      if ('error' in line) return line.error
      warnOfOverriding(line.overriding, command)
      config.protocols = line.protocols
      return undefined
    },
  }),
  SSLSessionCacheTimeout: directive.take1({
    ...SERVERS,
    help: "SSL Session Cache object lifetime ('N' - number of seconds)",
    set: (config: ServerSettings, text) => {
      const seconds = leadingNumber(text)
      if (seconds < 0) return 'SSLSessionCacheTimeout: Invalid argument'
      config.sessionTimeout = seconds
      return undefined
    },
  }),
  SSLHonorCipherOrder: flag("Use the server's cipher ordering preference", (config, on) => void (config.honorCipherOrder = on)),
  SSLCompression: directive.flag({
    ...SERVERS,
    help: "Enable SSL level compression (`on', `off')",
    set: (config: ServerSettings, on) => {
      config.compression = false
      return on
        ? 'This version of OpenSSL does not have any compression methods available, cannot enable SSLCompression.'
        : undefined
    },
  }),
  SSLSessionTickets: flag(
    "Enable or disable TLS session tickets(`on', `off')",
    (config, on) => void (config.sessionTickets = on),
  ),
  SSLInsecureRenegotiation: flag(
    'Enable support for insecure renegotiation',
    (config, on) => void (config.insecureRenegotiation = on),
  ),
  SSLStrictSNIVHostCheck: flag('Strict SNI virtual host checking', (config, on) => void (config.strictSniCheck = on)),
  SSLSRPVerifierFile: directive.take1({
    ...SERVERS,
    help: "SRP verifier file ('/path/to/file' - created by srptool)",
    set: (_config: ServerSettings, text, command) => {
      const checked = checkedFile(text, command)
      return 'error' in checked ? checked.error : NO_SRP
    },
  }),
  SSLSRPUnknownUserSeed: directive.take1({
    ...SERVERS,
    help: "SRP seed for unknown users (to avoid leaking a user's existence) ('some secret text')",
    effect: 'none',
    set: () => undefined,
  }),
  SSLOpenSSLConfCmd: directive.take2({
    ...SERVERS,
    help: 'OpenSSL configuration command',
    set: (config: ServerSettings, name, value, command) => {
      const line = readConfCommand(name, value, command)
      if ('error' in line) return line.error
      config.confCommands = [...config.confCommands, line]
      return undefined
    },
  }),
}

const NO_SRP = {
  message: 'SSLSRPVerifierFile: this server cannot log users in by SRP passwords',
  hint: 'remove the line, and use client certificates (SSLVerifyClient) or AuthType Basic',
}

const CRL_WORDS = { none: 'nobody', leaf: 'leaf', chain: 'chain' } as const

function setEngine(config: ServerSettings, word: string, command: Command): SetResult {
  switch (word.toLowerCase()) {
    case 'on':
      config.engine = 'on'
      return undefined
    case 'off':
      config.engine = 'off'
      return undefined
    case 'optional':
      command.report('notice', 'AH10510', "'SSLEngine optional' is no longer supported")
      config.engine = 'optional'
      return undefined
  }
  return 'Argument must be On or Off'
}

/** A file of a certificate or key; pkcs11: names an object of a device, which is refused at the start. */
function withPair(text: string, command: Command, set: (path: string) => void): SetResult {
  if (text.startsWith('pkcs11:')) return void set(text)
  const checked = checkedFile(text, command)
  if ('error' in checked) return checked.error
  set(checked.path)
  return undefined
}

/** Warns of each word without sign that replaced others in its line. */
export function warnOfOverriding(words: readonly string[], command: Command): void {
  for (const word of words) {
    const text = `${command.name}: Protocol '${word}' overrides already set parameter(s). Check if a +/- prefix is missing.`
    command.report('warn', 'AH02532', text)
  }
}

type Row = (typeof serverDirectives)[`SSL${string}`]

function flag(help: string, set: (config: ServerSettings, on: boolean) => void): Row {
  return directive.flag({ ...SERVERS, help, set })
}

function file(help: string, set: (config: ServerSettings, path: string) => void): Row {
  return checkedPath(help, checkedFile, set)
}

function folder(help: string, set: (config: ServerSettings, path: string) => void): Row {
  return checkedPath(help, checkedFolder, set)
}

function checkedPath(help: string, check: typeof checkedFile, set: (config: ServerSettings, path: string) => void): Row {
  return directive.take1({
    ...SERVERS,
    help,
    set: (config: ServerSettings, text, command) => {
      const checked = check(text, command)
      if ('error' in checked) return checked.error
      set(config, checked.path)
      return undefined
    },
  })
}
