import { errorMessage } from '../base/error-text.ts'
import type { LoadedParts } from './loaded-parts.ts'

/** Serving has ended, or never began: modules release their resources. */
export function endConfiguration({ configuration, services }: LoadedParts): void {
  configuration.ending.run((error) => services.logs.core.write(null, 'crit', '', `a cleanup failed: ${errorMessage(error)}`))
}
