import type { OptionalHooks, Server } from '@gatewright/api'
import { addCertificateFiles, addFallbackCertificateFiles, type CertificateFiles } from '@gatewright/api/peers'
import type { ServerSettings } from '../settings.ts'
import type { StartFiles } from './start-files.ts'
import type { StartLog } from './start-log.ts'

/** The files of a server's certificates. */
export interface ServerFiles {
  readonly certificateFiles: readonly string[]
  readonly keyFiles: readonly string[]
  readonly chainFile: string | undefined
  /** True when the certificate only makes handshakes possible: nothing is served. */
  readonly isFallback: boolean
  /** True where another module has files that a tool cannot see. */
  readonly isIncomplete: boolean
}

/** What the choice of a server's files depends on. */
export interface ServerFileChoice {
  readonly hooks: OptionalHooks
  readonly files: StartFiles
  /** `NAME:PORT`. */
  readonly id: string
  /** Of the server among all. */
  readonly place: number
}

type OfServer = (server: Server) => CertificateFiles | null

/** The configured files with those that other modules have, as `ssl_init_server_certs` collects them. */
export function serverFiles(
  settings: Readonly<ServerSettings>,
  server: Server,
  { hooks, files, id, place }: ServerFileChoice,
  log: StartLog,
): ServerFiles {
  const { certificateFiles, keyFiles, chainFile } = settings
  const own = { certificateFiles, keyFiles, chainFile, isFallback: false, isIncomplete: false }
  // They are always asked, because they learn so which servers are secured.
  const present = firstOf(hooks.of(addCertificateFiles), server)
  const added = files.choice(`${place}`, () => present)
  if (added !== null) return join(own, added, false)
  if (certificateFiles.length > 0) return own
  const fallback = files.choice(`${place} fallback`, () => firstOf(hooks.of(addFallbackCertificateFiles), server))
  if (fallback === null) return own
  const text =
    "will respond with '503 Service Unavailable' for now. There are no SSL certificates configured and no other module contributed any."
  log.write('warn', 'AH10085', `Init: ${id} ${text}`)
  return join(own, fallback, true)
}

function join(own: ServerFiles, { certificates, keys }: CertificateFiles, isFallback: boolean): ServerFiles {
  const ownKeys = own.certificateFiles.map((file, index) => own.keyFiles[index] ?? file)
  return {
    certificateFiles: [...own.certificateFiles, ...certificates],
    keyFiles: [...ownKeys, ...keys],
    // The chains are in the files that were added.
    chainFile: undefined,
    isFallback,
    isIncomplete: certificates.length === 0,
  }
}

function firstOf(functions: readonly OfServer[], server: Server): CertificateFiles | null {
  for (const fn of functions) {
    const files = fn(server)
    if (files !== null) return files
  }
  return null
}
