import type { ChosenCache } from '@gatewright/api'

/** Settings of a server. */
export interface SocacheServerConfig {
  /** Opens the cache of CacheSocache; absent without it. */
  open?: ChosenCache['open']
  /** What is wrong with the argument of CacheSocache. As in httpd, the server does not start then, but its configuration is valid. */
  fault?: string
}

/** Settings of a folder or location. */
export interface SocacheConfig {
  /** Seconds that a response is kept at most and at least, whatever its freshness. */
  maxTime?: number
  minTime?: number
  /** Longest body in bytes. */
  maxSize?: number
}

export const STANDARD_MAX_TIME = 86_400
export const STANDARD_MIN_TIME = 600
export const STANDARD_MAX_SIZE = 102_400
