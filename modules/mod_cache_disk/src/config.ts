/** Settings of a server. A virtual host with one of these directives has none from the main server, as in httpd. */
export interface DiskServerConfig {
  /** Absolute. */
  root?: string
  levels?: number
  length?: number
  /** Whether it is of a virtual host. */
  isOfHost?: boolean
}

/** Settings of a folder or location: bytes. */
export interface DiskConfig {
  minSize?: number
  maxSize?: number
  /** Whether it is of a virtual host. */
  isOfHost?: boolean
}

export const STANDARD_LEVELS = 2
export const STANDARD_LENGTH = 2
export const STANDARD_MIN_SIZE = 1
export const STANDARD_MAX_SIZE = 1_000_000
