import type { Connection, ModuleLog } from '@gatewright/api'
import type { ChallengeCertificate } from '@gatewright/api/peers'
import { isDnsName } from '../dns-names.ts'
import type { Registry } from '../domains/registry.ts'
import { TLS_FILES } from '../drive/answer-challenges.ts'

/** The ALPN name of tls-alpn-01 (RFC 8737). */
export const ACME_TLS = 'acme-tls/1'

/** The certificate that answers tls-alpn-01 for a name; null when none is expected. */
export function challengeCertificate(
  connection: Connection,
  protocol: string,
  serverName: string | null,
  registry: Registry | null,
  log: ModuleLog,
): ChallengeCertificate | null {
  if (protocol !== ACME_TLS || serverName === null || registry === null || !isDnsName(serverName, false)) return null
  const name = serverName.toLowerCase()
  const certificate = read(registry, name, TLS_FILES.certificate)
  const key = read(registry, name, TLS_FILES.key)
  if (certificate !== undefined && key !== undefined) return { certificate, key }
  log.write(connection, 'info', 'AH10080', `${name}: unknown tls-alpn-01 challenge host`)
  return null
}

function read({ store }: Registry, name: string, file: string): string | undefined {
  try {
    return store.readText('challenges', name, file)
  } catch {
    return undefined
  }
}
