import { X509Certificate } from 'node:crypto'
import type { TlsServer } from '@gatewright/api/peers'
import { DEFAULT_DEPTH } from '../connections/verify-client.ts'
import type { PreparedServer } from './prepare-server.ts'

/** What tools report about a server. */
export function tlsServer(prepared: PreparedServer | undefined): TlsServer | null {
  if (prepared === undefined) return null
  const { verifyClient = 'none', verifyDepth = DEFAULT_DEPTH } = prepared.settings.authentication
  const certificates = prepared.pairs.map(({ file, parsed, certificate, isStandIn }) => {
    const presented = isStandIn ? new X509Certificate(certificate).raw : parsed.raw
    return { file, der: parsed.raw, presented }
  })
  return { verifyClient, verifyDepth, certificates }
}
