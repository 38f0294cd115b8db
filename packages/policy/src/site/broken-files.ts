import { dirname } from 'node:path'
import type { PolicyServer } from '../policy-server.ts'
import { checkedAccessFiles } from './checked-access-files.ts'
import type { Remark } from './remark.ts'

/** The .htaccess files with mistakes that make the server answer 500, each with its first one. */
export function brokenFiles(server: PolicyServer, texts: ReadonlyMap<string, string>): ReadonlyMap<string, Remark> {
  const broken = new Map<string, Remark>()
  for (const { path, mistakes } of checkedAccessFiles(server, texts)) {
    const [first] = mistakes
    if (first !== undefined)
      broken.set(path, {
        file: path,
        line: Math.max(1, first.line),
        text: `${first.message}; until this is fixed, the server answers 500 here`,
      })
  }
  return broken
}

/**
 * The nearest invalid .htaccess file, in the file's folder or above, which makes the server answer 500;
 * undefined if there is none.
 */
export function brokenAbove(path: string, broken: ReadonlyMap<string, Remark>): Remark | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = [...broken.values()].find(({ file }) => dirname(file) === folder)
    if (found !== undefined || folder === '/') return found
  }
}
