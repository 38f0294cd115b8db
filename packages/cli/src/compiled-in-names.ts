/**
 * What -l prints: the source names of all modules without a file, in their order. `compiled-in.ts` has those
 * that are not core's own.
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
