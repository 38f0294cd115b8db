import { basename, dirname, join } from 'node:path'
import { ConfigFiles } from '@gatewright/policy'

const KEPT = '.2.2~'

/**
 * Where the old text of a file is kept: beside it, or, where the configuration reads everything in its folder, as that of `Include sites-enabled/`, beside the folder.
 * @param texts the configuration's files
 */
export function keptCopy(path: string, texts: ReadonlyMap<string, string>): string {
  const folder = dirname(path)
  return isReadWhole(folder, new ConfigFiles(texts)) ? join(`${folder}${KEPT}`, basename(path)) : `${path}${KEPT}`
}

/** The last part of an Include that may mean the folder is enough to tell: a copy that lies elsewhere than it had to does no harm. */
function isReadWhole(folder: string, files: ConfigFiles): boolean {
  const name = basename(folder)
  for (const { item } of files.items()) {
    if (item.kind !== 'directive' || !/^include(?:optional)?$/i.test(item.name)) continue
    const parts = (item.words[0] ?? '').split('/').filter((part) => part !== '')
    if (parts.at(-1) === '*') parts.pop()
    if (parts.at(-1) === name) return true
  }
  return false
}
