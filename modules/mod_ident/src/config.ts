export interface IdentConfig {
  enabled?: boolean
  /** In seconds. */
  timeout?: number
}

export function mergeIdentConfig(base: Readonly<IdentConfig>, over: Readonly<IdentConfig>): IdentConfig {
  return { enabled: over.enabled ?? base.enabled, timeout: over.timeout ?? base.timeout }
}
