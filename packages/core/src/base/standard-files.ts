/** Default files and folders of a configuration, absolute or below the ServerRoot. */
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

/** The files of httpd's default layout. */
export const DEFAULT_LAYOUT_FILES: StandardFiles = {
  pidFile: 'logs/httpd.pid',
  errorLog: 'logs/error_log',
  documentRoot: 'htdocs',
  typesConfig: 'conf/mime.types',
}
