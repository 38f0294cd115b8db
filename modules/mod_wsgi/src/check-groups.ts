import type { Problem, Server } from '@gatewright/api'
import type { ImportedScript, WsgiServerConfig } from './config.ts'
import { type DaemonGroup, EMBEDDED, newDaemonGroup } from './daemon-group.ts'
import { embeddedGroup } from './runner-config.ts'

/** The process groups and imported scripts of all servers. */
export interface FoundGroups {
  readonly groups: ReadonlyMap<string, DaemonGroup>
  readonly imports: readonly ImportedScript[]
  /** Whether a line asks for applications: else Python is not needed. */
  readonly isUsed: boolean
}

/** Collects the groups of all servers, or says what is wrong with them. */
export function findGroups(
  servers: readonly Server[],
  configOf: (server: Server) => Readonly<WsgiServerConfig>,
): FoundGroups | Problem {
  const groups = new Map<string, DaemonGroup>()
  const [main] = servers
  // Servers without lines of their own have the object of the main server.
  const configs = new Set(servers.map(configOf))
  if (configOf(main).restrictEmbedded !== true) groups.set(EMBEDDED, embeddedGroup(newDaemonGroup(EMBEDDED, main, null)))
  for (const config of configs) {
    for (const group of config.groups) {
      if (groups.has(group.name))
        return { message: 'Name duplicates previous WSGI daemon definition.', ...(group.place && { place: group.place }) }
      groups.set(group.name, group)
    }
  }
  const imports = [...configs].flatMap((config) => config.imports)
  for (const { processGroup, place } of imports)
    if (!groups.has(processGroup)) return { message: 'WSGI process group not yet configured.', place }
  const isUsed = [...configs].some(({ aliases, groups: own }) => aliases.length > 0 || own.length > 0) || imports.length > 0
  return { groups, imports, isUsed }
}
