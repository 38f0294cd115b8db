import { dumpHooks, dumpIncludes, dumpModules, dumpRunConfig, dumpVirtualHosts, type Snapshot } from '@gatewright/core'
import { type DumpDefine, wantedDumps } from './dump-defines.ts'

const DUMPS: Readonly<Record<DumpDefine, (snapshot: Snapshot) => readonly string[]>> = {
  DUMP_INCLUDES: dumpIncludes,
  DUMP_VHOSTS: dumpVirtualHosts,
  DUMP_RUN_CFG: dumpRunConfig,
  DUMP_MODULES: dumpModules,
  DUMP_HOOKS: dumpHooks,
}

/** The lines of all requested dumps. */
export function dumpLines(snapshot: Snapshot, defines: readonly string[]): string[] {
  return wantedDumps(defines).flatMap((define) => [...DUMPS[define](snapshot)])
}
