import type { ConfigStatus } from '../configure/config-status.ts'

/**
 * A file for the system's service manager or log rotation: written for a default prefix, adapted to the
 * folders of any layout.
 */
export function installedService(text: string, { folders, program }: ConfigStatus): string {
  const writable = [...new Set([folders.logfiledir, folders.runtimedir])].join(' ')
  return text
    .replaceAll('@prefix@/bin/httpd', `${folders.sbindir}/${program}`)
    .replaceAll('@prefix@/logs/httpd.pid', `${folders.runtimedir}/httpd.pid`)
    .replace(/(ReadWritePaths=)@prefix@\/logs$/gm, `$1${writable}`)
    .replaceAll('@prefix@/logs', folders.logfiledir)
    .replaceAll('@prefix@', folders.prefix)
}
