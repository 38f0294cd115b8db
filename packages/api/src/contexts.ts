import type { Context } from './directive.ts'

/**
 * The usual values of a directive's `context`, in the order of httpd's manual.
 * @since 2.4.5
 */
export interface UsualContexts {
  /** The main server only: `GLOBAL_ONLY` of httpd. */
  readonly mainServer: readonly Context[]
  /** The main server and virtual hosts: `RSRC_CONF` of httpd. */
  readonly inServers: readonly Context[]
  /**
   * Sections and .htaccess files, but not the server itself, for directives about access: `OR_AUTHCFG` of
   * httpd, for example.
   */
  readonly inSections: readonly Context[]
  /** All places that can contain directives: `OR_FILEINFO` of httpd, for example. */
  readonly anywhere: readonly Context[]
}

/**
 * The usual values of a directive's `context`.
 * @since 2.4.5
 */
export const contexts: UsualContexts = {
  mainServer: ['server'],
  inServers: ['server', 'virtualhost'],
  inSections: ['directory', 'htaccess'],
  anywhere: ['server', 'virtualhost', 'directory', 'htaccess'],
}
