import type { ModuleHost, Server, StartContext } from '@gatewright/api'
import type { SectionSettings, ServerSettings } from '../../../modules/mod_ssl/src/settings.ts'
import { effectiveSettings } from '../../../modules/mod_ssl/src/start/effective-settings.ts'
import type { PreparedServers } from '../../../modules/mod_ssl/src/start/prepare-servers.ts'

type Started = Omit<PreparedServers, 'outgoing'> & { readonly outgoing: Pick<PreparedServers['outgoing'], 'for'> }

let known: PreparedServers['settings'] = new Map()

/** Whether connections of a server ask clients for certificates. */
export function asksForCertificate(server: Server): boolean {
  const asked = known.get(server)?.authentication.verifyClient
  return asked !== undefined && asked !== 'none'
}

/** The start of mod_ssl without certificates and keys, in the place of the one that reads them. */
export async function prepareServers(
  host: ModuleHost<SectionSettings, ServerSettings>,
  { servers }: StartContext,
): Promise<Started> {
  known = effectiveSettings(host, servers)
  return {
    settings: known,
    servers: new Map(),
    outgoing: { for: () => null },
    sessionStore: null,
    sessionCacheName: '',
    stapleStore: null,
    sniPolicy: 'secure',
  }
}
