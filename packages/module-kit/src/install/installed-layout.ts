import type { ConfigStatus } from '../configure/config-status.ts'
import { isMovable } from '../configure/layout.ts'
import { belowPrefix } from './shown-path.ts'

/**
 * The folders that are compiled into an installation's programs. A movable installation finds them relative
 * to its programs.
 */
export function installedLayout({ folders, program }: ConfigStatus): Readonly<Record<string, string>> {
  const below = (path: string): string => belowPrefix(path, folders.prefix)
  return {
    root: isMovable(folders) ? '.' : folders.prefix || '/',
    configFile: below(`${folders.sysconfdir}/${program}.conf`),
    pidFile: below(`${folders.runtimedir}/httpd.pid`),
    errorLog: below(`${folders.logfiledir}/error_log`),
    documentRoot: below(folders.htdocsdir),
    typesConfig: below(`${folders.sysconfdir}/mime.types`),
    modules: below(folders.libexecdir),
    compileCache: below(`${folders.runtimedir}/compile-cache`),
    configVariables: below(`${folders.installbuilddir}/config_vars.mk`),
  }
}
