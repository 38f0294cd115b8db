import { constants } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'
import type { OptionalHooks, Server } from '@gatewright/api'
import { wantsStapling } from '@gatewright/api/peers'
import { cipherListProblem, cipherSuitesProblem, nodeCiphers } from '../cipher-list.ts'
import { ALL_PROTOCOLS, versionRange } from '../protocol-versions.ts'
import { isCheckedByOpenSsl } from '../revocation-mode.ts'
import { type ServerFileChoice, serverFiles } from './added-files.ts'
import { applyCommand, type ContextDraft } from './apply-commands.ts'
import { type Authorities, isReadableCertificate, readAuthorities, readRevocationLists } from './authorities.ts'
import { type CertificatePair, type KeyMemory, lastOfEachKind, readPairs } from './certificate-pairs.ts'
import type { EffectiveSettings } from './effective-settings.ts'
import { certificatesIn, dhParametersIn } from './pem.ts'
import { type StapledCertificate, stapledCertificates } from './stapled-certificates.ts'
import type { StartFiles } from './start-files.ts'
import type { StartLog } from './start-log.ts'

/** A server that is ready for handshakes: plain data for the layer that makes them. */
export interface PreparedServer {
  /** `NAME:PORT`. */
  readonly id: string
  readonly settings: EffectiveSettings
  /** True when there is no certificate but one that makes handshakes possible: each request is answered with 503. */
  readonly isUnavailable: boolean
  readonly pairs: readonly CertificatePair[]
  readonly authorities: Authorities
  /** Options of tls.createSecureContext, certificates and keys included. */
  readonly context: SecureContextOptions
  /** For each pair, where SSLUseStapling is on or a module wants it. */
  readonly stapled: readonly (StapledCertificate | null)[]
  /** SSLOCSPResponderCertificateFile, in PEM. */
  readonly responderCertificates: readonly string[]
  /** The 48 bytes of SSLSessionTicketKeyFile; null without. */
  readonly ticketKey: Buffer | null
}

/** What the preparation of all servers shares. */
export interface PrepareParts {
  readonly memory: KeyMemory
  readonly hooks: OptionalHooks
  readonly files: StartFiles
  /** Of the server among all. */
  readonly place: number
  /** True where nothing is served. */
  readonly isTool: boolean
}

/** Seconds that a session lives when SSLSessionCacheTimeout says nothing. */
const SESSION_TIMEOUT = 300
const TICKET_KEY_SIZE = 48

/** Checks and reads everything of a server in httpd's order. @throws StartRefused when it is logged what is wrong */
export async function prepareServer(
  settings: EffectiveSettings,
  target: Server,
  { memory, hooks, files, place, isTool }: PrepareParts,
  log: StartLog,
): Promise<PreparedServer> {
  const { server, authentication, id } = settings
  log.write('info', 'AH01914', `Configuring server ${id} for SSL protocol`)
  const range = versionRange(server.protocols ?? ALL_PROTOCOLS)
  if (range === undefined) log.die('AH02231', 'No SSL protocols available [hint: SSLProtocol]')
  const names = readAuthorities(authentication, server, files, log)
  const listProblem = cipherListProblem(authentication.cipherList)
  if (listProblem !== undefined) log.die('AH01898', 'Unable to configure permitted SSL ciphers', listProblem)
  const suitesProblem = cipherSuitesProblem(authentication.cipherSuites)
  if (suitesProblem !== undefined) log.die('AH10127', 'Unable to configure permitted TLSv1.3 ciphers', suitesProblem)
  const revocationLists = readRevocationLists(id, server, files, log)
  const isWanted = hooks.of(wantsStapling).some((wants) => wants(target))
  if (server.stapling.enabled === true && server.process.staplingCache === undefined && !isWanted) {
    log.die('AH01958', 'SSLStapling: no stapling cache available')
  }
  const choose: ServerFileChoice = { hooks, files, id, place }
  const { isFallback, isIncomplete, ...paths } = serverFiles(server, target, choose, log)
  const allPairs = await readPairs(
    {
      id,
      serverName: target.serverName,
      ...paths,
      files,
      dialog: server.passPhraseDialog ?? { kind: 'builtin' },
      memory,
      isTool,
    },
    log,
  )
  const pairs = lastOfEachKind(allPairs)
  const draft: ContextDraft = {
    cipherList: authentication.cipherList,
    cipherSuites: authentication.cipherSuites,
    options: {
      minVersion: range.min,
      maxVersion: range.max,
      honorCipherOrder: server.honorCipherOrder === true,
      dhparam: ownDhParameters(paths.certificateFiles[0], files) ?? 'auto',
      sessionTimeout: server.sessionTimeout ?? SESSION_TIMEOUT,
      secureOptions:
        (server.sessionTickets === false ? constants.SSL_OP_NO_TICKET : 0) |
        (server.insecureRenegotiation === true ? constants.SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION : 0),
    },
  }
  for (const command of server.confCommands) {
    const problem = applyCommand(draft, command, files)
    const text = `"SSLOpenSSLConfCmd ${command.name} ${command.value}"`
    if (problem !== undefined) log.die('AH02407', `${text} failed for ${id}`, problem)
    log.write('debug', 'AH02556', `${text} applied to ${id}`)
  }
  if (pairs.length === 0 && !(isTool && isIncomplete)) {
    const library = new Error('error:0A0000B1:SSL routines::no certificate assigned')
    log.die('AH02572', `Failed to configure at least one certificate and key for ${id}`, library)
  }
  const { trusted, requested } = names
  return {
    id,
    settings,
    isUnavailable: isFallback,
    pairs,
    authorities: { trusted, requested, revocationLists },
    stapled:
      server.stapling.enabled === true || (isWanted && !isFallback)
        ? stapledCertificates(pairs, trusted, server.stapling, log)
        : [],
    responderCertificates: readResponderCertificates(server.ocsp.responderCertificates, files, log),
    ticketKey: readTicketKey(id, server.ticketKeyFile, files, log),
    context: {
      ...draft.options,
      ciphers: nodeCiphers(draft.cipherList, draft.cipherSuites),
      cert: pairs.map(({ certificate }) => certificate),
      key: pairs.map(({ key }) => key),
      ...(trusted.length > 0 && { ca: [...trusted] }),
      ...(server.crlCheck !== undefined && isCheckedByOpenSsl(server.crlCheck, revocationLists) && { crl: [...revocationLists] }),
    },
  }
}

function readResponderCertificates(file: string | undefined, files: StartFiles, log: StartLog): readonly string[] {
  if (file === undefined) return []
  const certificates = certificatesIn(files.text(file)).filter(isReadableCertificate)
  if (certificates.length === 0) log.die('', `SSLOCSPResponderCertificateFile: ${file} contains no certificates`)
  return certificates
}

/** Diffie-Hellman parameters in the first file of a certificate. */
function ownDhParameters(file: string | undefined, files: StartFiles): string | undefined {
  return file === undefined ? undefined : dhParametersIn(files.text(file))
}

/** SSLSessionTicketKeyFile: name, secret of the authentication and key of the cipher, which is Node's order too. */
function readTicketKey(id: string, file: string | undefined, files: StartFiles, log: StartLog): Buffer | null {
  if (file === undefined) return null
  const bytes = files.bytes(file)
  if (bytes instanceof Error) {
    const errno = 'errno' in bytes && typeof bytes.errno === 'number' ? Math.abs(bytes.errno) : 0
    log.die('AH02286', `Failed to open ticket key file ${file}: (${errno}) ${systemText(bytes)}`)
  }
  if (bytes.length < TICKET_KEY_SIZE) {
    log.die('AH02287', `Failed to read ${TICKET_KEY_SIZE} bytes from ${file}: (70014) End of file found`)
  }
  log.write('info', 'AH02288', `TLS session ticket key for ${id} successfully loaded from ${file}`)
  return bytes.subarray(0, TICKET_KEY_SIZE)
}

function systemText(error: Error): string {
  if ('code' in error && error.code === 'EACCES') return 'Permission denied'
  return 'code' in error && error.code === 'ENOENT' ? 'No such file or directory' : 'Input/output error'
}
