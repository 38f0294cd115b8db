import type { SectionInfo, Server } from '@gatewright/api'
import type { SectionSettings } from '../settings.ts'

/** The settings of `<Proxy>` sections, which the start checks. Each configuration has server objects of its own. */
const BY_SERVER = new WeakMap<Server, SectionSettings[]>()

/** Keeps the settings of a section, which its directives are about to fill. */
export function keepProxySection({ kind, server }: SectionInfo, settings: SectionSettings): void {
  if (kind !== 'Proxy' && kind !== 'ProxyMatch') return
  const known = BY_SERVER.get(server)
  if (known === undefined) BY_SERVER.set(server, [settings])
  else known.push(settings)
}

/** The sections of a server that have directives of this module. */
export function proxySectionsOf(server: Server): readonly SectionSettings[] {
  return BY_SERVER.get(server) ?? []
}
