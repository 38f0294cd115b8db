import { createSecureContext, type SecureContext } from 'node:tls'
import type { Connection, ModuleLog } from '@gatewright/api'
import type { ChallengeCertificate } from '@gatewright/api/peers'
import type { ClientHello } from '../client-hello.ts'

/** A connection before its handshake. */
export interface ChallengedConnection {
  readonly connection: Connection
  /** What will be spoken. */
  readonly protocol: string
  readonly hello: ClientHello | null
}

type Answer = (connection: Connection, protocol: string, serverName: string | null) => ChallengeCertificate | null

/** The context of the certificate that a module wants to be presented; null if none does. */
export function challengeContext(
  answers: readonly Answer[],
  log: ModuleLog,
  { connection, protocol, hello }: ChallengedConnection,
): SecureContext | null {
  const serverName = hello?.serverName ?? null
  for (const answer of answers) {
    try {
      const found = answer(connection, protocol, serverName)
      if (found === null) continue
      return createSecureContext({ cert: found.certificate, key: found.key, minVersion: 'TLSv1.2' })
    } catch {
      // The error of the library could contain parts of the key.
      log.write(connection, 'warn', 'AH10266', `Failed to parse PEM of challenge certificate ${serverName ?? ''}`)
    }
  }
  return null
}
