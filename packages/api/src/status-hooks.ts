import type { MetricFamily } from './metrics.ts'
import { type OptionalHook, optionalHook } from './optional-hooks.ts'
import type { Request } from './request.ts'

/**
 * Run by mod_status for its page and for `?auto`, httpd's hook `status_hook`: what a module adds at the end, '' for
 * nothing. Byte strings: each character is one byte; HTML for the page, lines for `auto`.
 * @since 2.4.6
 */
export const extendStatus: OptionalHook<(request: Request, form: 'page' | 'auto') => string> = optionalHook('status:status_hook')

/**
 * The same for what a module asks other processes for; it stands after what {@link extendStatus} adds.
 * @since 2.4.6
 */
export const extendStatusLater: OptionalHook<(request: Request, form: 'page' | 'auto') => Promise<string>> =
  optionalHook('status:status_hook_later')

/**
 * Run by mod_status for `?metrics`: what a module adds at the end.
 * @since 2.4.6
 */
export const extendMetrics: OptionalHook<(request: Request) => readonly MetricFamily[]> = optionalHook('status:metrics')
