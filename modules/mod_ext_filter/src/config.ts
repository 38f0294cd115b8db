import type { ExternalFilter } from './external-filter.ts'

/** The options of a section; undefined for those of the sections around it. */
export interface ExtFilterConfig {
  logStderr?: boolean
  /** Whether the body passes unchanged if the program cannot be started. */
  removesFailed?: boolean
}

/** The filters of a server, by name in lower case. */
export interface ExtFilterServerConfig {
  readonly defined: Map<string, ExternalFilter>
}

export function mergeConfig(base: ExtFilterConfig, over: ExtFilterConfig): ExtFilterConfig {
  return { ...base, ...over }
}
