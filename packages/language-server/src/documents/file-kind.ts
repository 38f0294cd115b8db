import { basename } from 'node:path'

/** What a file is to the server: a file of its configuration, or one for a folder of its documents. */
export type FileKind = 'server' | 'htaccess'

/** @param path of any file that an editor opens as configuration */
export function fileKind(path: string): FileKind {
  return /^\.?ht(?:access)?(?:$|[._-])/i.test(basename(path)) && !/^httpd/i.test(basename(path)) ? 'htaccess' : 'server'
}
