import type { Folder } from './folders.ts'

/**
 * The folders of a server. `${name}` refers to another folder of the same layout; a `+` at the end means
 * `/apache2`.
 */
export type LayoutTemplate = ReadonlyMap<string, string>

/** Values that most layouts share. */
const COMMON = {
  exec_prefix: '${prefix}',
  bindir: '${exec_prefix}/bin',
  sbindir: '${exec_prefix}/sbin',
  libdir: '${exec_prefix}/lib',
  mandir: '${prefix}/man',
  installbuilddir: '${datadir}/build',
  errordir: '${datadir}/error',
  iconsdir: '${datadir}/icons',
  htdocsdir: '${datadir}/htdocs',
  manualdir: '${datadir}/manual',
  cgidir: '${datadir}/cgi-bin',
  includedir: '${prefix}/include',
  runtimedir: '${localstatedir}/run',
  statedir: '${localstatedir}/state',
  logfiledir: '${localstatedir}/logs',
  proxycachedir: '${localstatedir}/proxy',
} as const satisfies Partial<Record<Folder, string>>

/** The layouts of httpd that packages and handbooks use, under their names in httpd. */
export const LAYOUTS: ReadonlyMap<string, LayoutTemplate> = new Map([
  layout('Apache', {
    prefix: '/usr/local/apache2',
    sbindir: '${exec_prefix}/bin',
    libexecdir: '${exec_prefix}/modules',
    sysconfdir: '${prefix}/conf',
    datadir: '${prefix}',
    localstatedir: '${prefix}',
    runtimedir: '${localstatedir}/logs',
  }),
  layout('GNU', {
    prefix: '/usr/local',
    libexecdir: '${exec_prefix}/libexec',
    sysconfdir: '${prefix}/etc+',
    datadir: '${prefix}/share+',
    includedir: '${prefix}/include+',
    localstatedir: '${prefix}/var+',
    logfiledir: '${localstatedir}/log',
  }),
  layout('opt', {
    prefix: '/opt/apache',
    libexecdir: '${exec_prefix}/libexec',
    sysconfdir: '/etc${prefix}',
    datadir: '${prefix}/share',
    localstatedir: '/var${prefix}',
  }),
  layout('Debian', {
    prefix: '',
    exec_prefix: '${prefix}/usr',
    libexecdir: '${exec_prefix}/lib/apache2/modules',
    mandir: '${exec_prefix}/share/man',
    sysconfdir: '${prefix}/etc/apache2',
    datadir: '${exec_prefix}/share/apache2',
    htdocsdir: '${datadir}/default-site/htdocs',
    manualdir: '${htdocsdir}/manual',
    cgidir: '${exec_prefix}/lib/cgi-bin',
    includedir: '${exec_prefix}/include/apache2',
    localstatedir: '${prefix}/var/lock/apache2',
    statedir: '${prefix}/var/lib/apache2',
    runtimedir: '${prefix}/var/run/apache2',
    logfiledir: '${prefix}/var/log/apache2',
    proxycachedir: '${prefix}/var/cache/apache2/proxy',
  }),
  layout('RedHat', {
    prefix: '/usr',
    libexecdir: '${prefix}/lib/apache',
    sysconfdir: '/etc/httpd/conf',
    datadir: '/var/www',
    htdocsdir: '${datadir}/html',
    includedir: '${prefix}/include/apache',
    localstatedir: '/var',
    statedir: '${localstatedir}/lib/httpd',
    logfiledir: '${localstatedir}/log/httpd',
    proxycachedir: '${localstatedir}/cache/httpd',
  }),
])

function layout(name: string, own: Partial<Record<Folder, string>>): [string, LayoutTemplate] {
  return [name, new Map(Object.entries({ ...COMMON, ...own }))]
}
