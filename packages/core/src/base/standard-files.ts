/**
 * Files and folders that a configuration uses where it does not say which, absolute or below the ServerRoot.
 */
export interface StandardFiles {
  /** PidFile */
  readonly pidFile: string
  /** ErrorLog */
  readonly errorLog: string
  /** DocumentRoot */
  readonly documentRoot: string
  /** TypesConfig */
  readonly typesConfig: string
}

/** Those of httpd's default layout. */
export const DEFAULT_LAYOUT_FILES: StandardFiles = {
  pidFile: 'logs/httpd.pid',
  errorLog: 'logs/error_log',
  documentRoot: 'htdocs',
  typesConfig: 'conf/mime.types',
}
