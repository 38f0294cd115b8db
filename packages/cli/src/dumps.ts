import { type BoundConfiguration, dumpHooks, dumpIncludes, dumpModules, dumpRunConfig, dumpVirtualHosts } from '@gatewright/core'
import { type DumpDefine, wantedDumps } from './dump-defines.ts'

const DUMPS: Readonly<Record<DumpDefine, (configuration: BoundConfiguration) => readonly string[]>> = {
  DUMP_INCLUDES: dumpIncludes,
  DUMP_VHOSTS: dumpVirtualHosts,
  DUMP_RUN_CFG: dumpRunConfig,
  DUMP_MODULES: dumpModules,
  DUMP_HOOKS: dumpHooks,
}

/** The lines of all requested dumps. */
export function dumpLines(configuration: BoundConfiguration, defines: readonly string[]): string[] {
  return wantedDumps(defines).flatMap((define) => [...DUMPS[define](configuration)])
}
