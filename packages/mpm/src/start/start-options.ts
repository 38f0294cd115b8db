import type { StandardFiles } from '@gatewright/core'

/** What a start of the server is told on its command line. Plain data: every process of the server is sent it. */
export interface StartOptions {
  /** Base name of the program, for messages. */
  readonly program: string
  /** -d, absolute. */
  readonly serverRoot: string
  /** -f, absolute. */
  readonly configFile: string
  /** The installation's own modules, absolute. */
  readonly modulesFolder: string
  /** What the configuration uses where it does not say; absent: as in httpd's default layout. */
  readonly standardFiles?: StandardFiles
  /** -D words, in their order. */
  readonly defines: readonly string[]
  /** -C lines. */
  readonly before: readonly string[]
  /** -c lines. */
  readonly after: readonly string[]
  /** -T: DocumentRoot is not looked at. */
  readonly skipDocumentRootCheck: boolean
}
