import type { BoundConfiguration } from '@gatewright/core'
import type { ConfigFiles } from '../../site/config-files.ts'
import type { StandingLines } from '../standing-lines.ts'

/** A configuration that relies on defaults of 2.2, as this server reads it. */
export interface OldConfiguration {
  readonly configFile: string
  readonly configuration: BoundConfiguration
  readonly lines: StandingLines
  readonly files: ConfigFiles
  /** .htaccess files below the folders that are served. */
  readonly accessFiles: readonly string[]
}
