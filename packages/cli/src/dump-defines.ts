/**
 * Names that request a dump, in the order in which httpd prints them, regardless of the order of the options.
 * DUMP_HOOKS is ours, at the position of SHOW_HOOKS, and so are DUMP_CAPABILITIES and DUMP_LISTEN.
 */
export const DUMP_DEFINES = [
  'DUMP_INCLUDES',
  'DUMP_VHOSTS',
  'DUMP_RUN_CFG',
  'DUMP_MODULES',
  'DUMP_CAPABILITIES',
  'DUMP_HOOKS',
  'DUMP_LISTEN',
] as const

export type DumpDefine = (typeof DUMP_DEFINES)[number]

/** The dumps that -D, -S and -M request. */
export function wantedDumps(defines: readonly string[]): readonly DumpDefine[] {
  return DUMP_DEFINES.filter((define) => defines.includes(define))
}
