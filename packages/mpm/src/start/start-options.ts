import type { StandardFiles } from '@gatewright/core'

/** The command line of a start. Plain data: every process of the server receives it. */
export interface StartOptions {
  /** Base name of the program, for messages. */
  readonly program: string
  /** -d, absolute. */
  readonly serverRoot: string
  /** -f, absolute. */
  readonly configFile: string
  /** The installation's own modules, absolute. */
  readonly modulesFolder: string
  /** The list of the modules that came with the program, absolute; absent: none. */
  readonly ownModules?: string
  /** Defaults for what the configuration does not set; absent: those of httpd's default layout. */
  readonly standardFiles?: StandardFiles
  /** -D words, in their order. */
  readonly defines: readonly string[]
  /** -C lines. */
  readonly before: readonly string[]
  /** -c lines. */
  readonly after: readonly string[]
  /** -T: DocumentRoot is not checked. */
  readonly skipDocumentRootCheck: boolean
}
