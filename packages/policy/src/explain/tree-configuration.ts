import { basename } from 'node:path'

/** A bare tree of .htaccess files, and how it is to be served. */
export interface TreeOptions {
  /** Absolute path of the document root. */
  readonly folder: string
  /** Directives allowed in the files, in the form of AllowOverride. */
  readonly allowOverride: string
  /** Files of the modules to load, absolute. */
  readonly moduleFiles: readonly string[]
  /**
   * The section that keeps .htaccess files and their kin from being sent; absent: a ban of every name that
   * begins with .ht
   */
  readonly closedFiles?: readonly string[]
}

/** The configuration of a server that has nothing but a tree to serve. */
export function treeConfiguration({ folder, allowOverride, moduleFiles, closedFiles = CLOSED_FILES }: TreeOptions): string {
  return [
    ...loadLines(moduleFiles),
    'ServerName localhost',
    'Listen 80',
    'TypesConfig /dev/null',
    `DocumentRoot "${folder}"`,
    // The names that distributions configure: a tree is meant for a server that has them.
    '<IfModule mod_dir.c>',
    '  DirectoryIndex index.html index.cgi index.pl index.php index.xhtml index.htm',
    '</IfModule>',
    '<Directory />',
    '  AllowOverride None',
    '</Directory>',
    `<Directory "${folder}">`,
    '  Options FollowSymLinks Indexes',
    `  AllowOverride ${allowOverride}`,
    '</Directory>',
    ...closedFiles,
    '',
  ].join('\n')
}

/** The lines that load modules. @param moduleFiles absolute */
export function loadLines(moduleFiles: readonly string[]): string[] {
  return moduleFiles.map((file) => `LoadModule ${basename(file).replace(/^mod_(.*)\.mjs$/, '$1')}_module "${file}"`)
}

const CLOSED_FILES = ['<Files ".ht*">', '  Require all denied', '</Files>']
