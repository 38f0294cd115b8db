/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface SessionConfig {
  /** Session. */
  enabled?: boolean
  /** SessionMaxAge, in seconds; 0 for no limit. */
  maxAge?: number
  /** SessionHeader. */
  header?: string
  /** SessionEnv. */
  env?: boolean
  /** SessionInclude: prefixes of paths; empty for all paths. */
  includes?: readonly string[]
  /** SessionExclude: prefixes of paths. */
  excludes?: readonly string[]
  /** SessionExpiryUpdateInterval, in seconds. */
  updateInterval?: number
}

/** The prefixes of a section are added to those around it, as httpd does. */
export function mergeSessionConfig(base: Readonly<SessionConfig>, over: Readonly<SessionConfig>): SessionConfig {
  return {
    enabled: over.enabled ?? base.enabled,
    maxAge: over.maxAge ?? base.maxAge,
    header: over.header ?? base.header,
    env: over.env ?? base.env,
    includes: joined(base.includes, over.includes),
    excludes: joined(base.excludes, over.excludes),
    updateInterval: over.updateInterval ?? base.updateInterval,
  }
}

function joined(base: readonly string[] | undefined, over: readonly string[] | undefined): readonly string[] | undefined {
  return base === undefined ? over : over === undefined ? base : [...base, ...over]
}

/** Whether a path has sessions according to SessionInclude and SessionExclude. */
export function includesPath({ includes = [], excludes = [] }: Readonly<SessionConfig>, path: string): boolean {
  if (includes.length > 0 && !includes.some((prefix) => path.startsWith(prefix))) return false
  return !excludes.some((prefix) => path.startsWith(prefix))
}
