import { getFips } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import type { ModuleHost, Server, SharedStore, StartContext } from '@gatewright/api'
import { OutgoingConnections } from '../outgoing/outgoing-connections.ts'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { type EffectiveSettings, effectiveSettings } from './effective-settings.ts'
import { type PreparedServer, prepareServer } from './prepare-server.ts'
import { RetainedKeys } from './retained-keys.ts'
import { StartFiles } from './start-files.ts'
import { StartLog } from './start-log.ts'

/** What the start has made of all servers. */
export interface PreparedServers {
  readonly settings: ReadonlyMap<Server, EffectiveSettings>
  /** Of the servers whose connections are secured. */
  readonly servers: ReadonlyMap<Server, PreparedServer>
  /** To back ends. */
  readonly outgoing: OutgoingConnections
  /** Of SSLSessionCache; null without one. */
  readonly sessionStore: SharedStore | null
  /** The kind of that cache, for people; '' without one. */
  readonly sessionCacheName: string
  /** Of SSLStaplingCache, or one of its own where a module wants stapling; null without either. */
  readonly stapleStore: SharedStore | null
  /** SSLVHostSNIPolicy. */
  readonly sniPolicy: NonNullable<ServerSettings['process']['sniPolicy']>
}

/** Size of the store of responses where there is no SSLStaplingCache. */
const STAPLE_BYTES = 1024 * 1024

/** Gets all servers ready. @throws StartRefused when it is logged what is wrong */
export async function prepareServers(
  host: ModuleHost<SectionSettings, ServerSettings>,
  start: StartContext,
): Promise<PreparedServers> {
  const { log, services } = host
  const { servers, checkOnly: isTool } = start
  const files = start.isFirst || isTool ? StartFiles.onDisk() : StartFiles.keptIn(services.retained)
  const settings = effectiveSettings(host, servers)
  const [main] = servers
  const { process } = settings.get(main)?.server ?? {}
  if (process?.fips === true && getFips() === 0) {
    new StartLog(log, main).die('AH01885', 'Could not enable FIPS mode')
  }
  log.write(main, 'info', 'AH01887', 'Init: Initializing (virtual) servers for SSL')
  const prepared = new Map<Server, PreparedServer>()
  const passPhrases: string[] = []
  const keys = new RetainedKeys(services.retained, files)
  const dialog = { start, isGreeted: false, hasAnswer: false, pause }
  for (const [place, server] of inOrder(servers)) {
    const own = settings.get(server)
    if (own === undefined) continue
    const startLog = new StartLog(log, server)
    const parts = { memory: { passPhrases, keys, dialog }, hooks: host.optionalHooks, files, place, isTool }
    if (own.isOn) {
      const found = await prepareServer(own, server, parts, startLog)
      if (start.isFirst && !isTool) checkContext(found, startLog)
      prepared.set(server, found)
    }
  }
  const outgoing = new OutgoingConnections(host, settings, files)
  if (passPhrases.length > 0) log.write(main, 'info', 'AH02560', 'Init: Wiped out the queried pass phrases from memory')
  passPhrases.length = 0
  // Last, because httpd warns of it when everything else is fine.
  const cache = process?.sessionCache
  if (cache?.kind !== 'shared') {
    log.write(main, 'warn', 'AH01873', 'Init: Session Cache is not configured [hint: SSLSessionCache]')
  }
  for (const server of servers) warnOfPort(server, settings.get(server), log)
  const staples = process?.staplingCache
  const isStapled = [...prepared.values()].some(({ stapled }) => stapled.length > 0)
  const ownStaples = isStapled ? services.sharedStore('mod_ssl.c:staples', STAPLE_BYTES) : null
  const stapleStore = staples?.kind === 'shared' ? staples.open('mod_ssl.c:staples') : ownStaples
  const sessionStore = cache?.kind === 'shared' ? cache.open('mod_ssl.c:sessions') : null
  const sessionCacheName = cache?.kind === 'shared' ? cache.name : ''
  if (start.isFirst && !isTool) files.keepIn(services.retained)
  const sniPolicy = process?.sniPolicy ?? 'secure'
  return { settings, servers: prepared, outgoing, sessionStore, sessionCacheName, stapleStore, sniPolicy }
}

/** With their places: the main server, then the others, the last first. In this order httpd asks for pass phrases. */
function inOrder(servers: readonly Server[]): readonly (readonly [place: number, server: Server])[] {
  const [main, ...others] = servers.entries()
  return main === undefined ? [] : [main, ...others.toReversed()]
}

/** What OpenSSL does not accept would otherwise make every handshake fail. */
function checkContext({ id, context }: PreparedServer, log: StartLog): void {
  try {
    createSecureContext(context)
  } catch (error) {
    log.die('', `Unable to configure TLS for ${id}`, error instanceof Error ? error : new Error(String(error)))
  }
}

function warnOfPort(
  { serverPort }: Server,
  settings: EffectiveSettings | undefined,
  log: ModuleHost<unknown, unknown>['log'],
): void {
  if (settings === undefined) return
  if (settings.isOn && serverPort === 80) {
    log.write(null, 'warn', 'AH01915', `Init: (${settings.id}) You configured HTTPS(443) on the standard HTTP(80) port!`)
  }
  if (settings.server.engine !== 'optional' && !settings.isOn && serverPort === 443) {
    log.write(null, 'warn', 'AH01916', `Init: (${settings.id}) You configured HTTP(80) on the standard HTTPS(443) port!`)
  }
}
