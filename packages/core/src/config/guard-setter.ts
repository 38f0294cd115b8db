import { isRequestTooExpensive, type Problem } from '@gatewright/api'
import { blameFor } from '../base/blame.ts'
import { ConfigError } from '../base/config-error.ts'
import type { BoundDirective } from '../modules/registry.ts'

/**
 * Runs the setter of a directive. If it throws, the line has an error that names the directive, the module that failed and
 * the position in its source, instead of the end of the process.
 * @throws ConfigError and RequestTooExpensive, by which the host itself ends a reading
 */
export function guardSetter<R>({ name, owner }: BoundDirective, set: () => R): R | Problem {
  try {
    return set()
  } catch (error) {
    if (error instanceof ConfigError || isRequestTooExpensive(error)) throw error
    const { source } = owner.module
    const { where, message, hint } = blameFor(error, source)
    return { message: `${name} of ${source} failed${where}: ${message}`, hint }
  }
}
