import type { AnyModule } from '@gatewright/api'
import logConfig from 'mod_log_config'
import logio from 'mod_logio'
import unixd from 'mod_unixd'
import version from 'mod_version'
import watchdog from 'mod_watchdog'

/** The modules that are part of the program, in their order after core's own. */
export const COMPILED_IN: readonly AnyModule[] = [watchdog, logConfig, logio, version, unixd]
