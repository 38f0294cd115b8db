/**
 * Names that ask for a dump, in the order in which httpd prints them whatever the order of the options;
 * DUMP_HOOKS is ours, in the place of SHOW_HOOKS.
 */
export const DUMP_DEFINES = ['DUMP_INCLUDES', 'DUMP_VHOSTS', 'DUMP_RUN_CFG', 'DUMP_MODULES', 'DUMP_HOOKS'] as const

export type DumpDefine = (typeof DUMP_DEFINES)[number]

/** The dumps that -D, -S and -M ask for. */
export function wantedDumps(defines: readonly string[]): readonly DumpDefine[] {
  return DUMP_DEFINES.filter((define) => defines.includes(define))
}
