/**
 * Folders that options can set: `--exec-prefix=DIR` for `exec_prefix`. Most others are relative to `prefix`.
 */
export const FOLDERS = [
  'prefix',
  'exec_prefix',
  'bindir',
  'sbindir',
  'libdir',
  'libexecdir',
  'mandir',
  'sysconfdir',
  'datadir',
  'installbuilddir',
  'errordir',
  'iconsdir',
  'htdocsdir',
  'manualdir',
  'cgidir',
  'includedir',
  'localstatedir',
  'runtimedir',
  'statedir',
  'logfiledir',
  'proxycachedir',
] as const

export type Folder = (typeof FOLDERS)[number]

/** Folders that every configure script accepts and no httpd uses. */
export const UNUSED_FOLDERS: readonly string[] = [
  'sharedstatedir',
  'runstatedir',
  'oldincludedir',
  'datarootdir',
  'infodir',
  'localedir',
  'docdir',
  'htmldir',
  'dvidir',
  'pdfdir',
  'psdir',
]

export function isFolder(name: string): name is Folder {
  return FOLDERS.some((folder) => folder === name)
}
