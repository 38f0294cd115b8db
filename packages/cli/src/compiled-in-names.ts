/**
 * The output of -l: the source names of all compiled-in modules, in their order. `compiled-in.ts` lists those
 * that do not belong to core.
 */
export const COMPILED_IN_NAMES: readonly string[] = [
  'core.c',
  'mod_so.c',
  'mod_watchdog.c',
  'http_core.c',
  'mod_log_config.c',
  'mod_logio.c',
  'mod_version.c',
  'mod_unixd.c',
  'event.c',
]
