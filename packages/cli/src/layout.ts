/**
 * The folders of an installation. Relative paths are below `root`, which is relative to the parent of the
 * program's folder.
 */
export interface InstalledLayout {
  readonly root: string
  readonly configFile: string
  readonly pidFile: string
  readonly errorLog: string
  readonly documentRoot: string
  readonly typesConfig: string
  /** The modules of the installation. */
  readonly modules: string
  /** Compiled code, kept between starts: with the installation, not with a ServerRoot that others may own. */
  readonly compileCache: string
  /** config_vars.mk: the build settings of the installation. */
  readonly configVariables: string
}

/** A configured build replaces this file by its own: see build/compiled-in.mjs. */
export const LAYOUT: InstalledLayout = {
  root: '.',
  configFile: 'conf/httpd.conf',
  pidFile: 'logs/httpd.pid',
  errorLog: 'logs/error_log',
  documentRoot: 'htdocs',
  typesConfig: 'conf/mime.types',
  modules: 'modules',
  compileCache: 'logs/compile-cache',
  configVariables: 'build/config_vars.mk',
}
