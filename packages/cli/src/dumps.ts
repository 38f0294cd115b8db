import {
  type BoundConfiguration,
  dumpCapabilities,
  dumpHooks,
  dumpIncludes,
  dumpModules,
  dumpRunConfig,
  dumpVirtualHosts,
} from '@gatewright/core'
import { type DumpDefine, wantedDumps } from './dump-defines.ts'

const DUMPS: Readonly<Record<DumpDefine, (configuration: BoundConfiguration) => readonly string[]>> = {
  DUMP_INCLUDES: dumpIncludes,
  DUMP_VHOSTS: dumpVirtualHosts,
  DUMP_RUN_CFG: dumpRunConfig,
  DUMP_MODULES: dumpModules,
  DUMP_CAPABILITIES: dumpCapabilities,
  DUMP_HOOKS: dumpHooks,
  DUMP_LISTEN: dumpListeners,
}

/** The addresses at which the server can be reached from this machine, as the beginnings of URLs. */
function dumpListeners({ plan }: BoundConfiguration): readonly string[] {
  return plan.listeners.map(({ address, port, protocol }) => {
    const host = address === '*' || address === '0.0.0.0' || address === '::' ? 'localhost' : address
    return `${protocol === 'https' ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  })
}

/** The lines of all requested dumps. */
export function dumpLines(configuration: BoundConfiguration, defines: readonly string[]): string[] {
  return wantedDumps(defines).flatMap((define) => [...DUMPS[define](configuration)])
}
