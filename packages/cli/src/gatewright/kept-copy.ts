import { basename, dirname, join } from 'node:path'
import { ConfigFiles } from '@gatewright/policy'

const KEPT = '.2.2~'

/**
 * Determines where the old text of a file is kept: next to it, or, if the configuration reads everything in
 * its folder, as `Include sites-enabled/` does, next to the folder.
 * @param texts the configuration's files
 */
export function keptCopy(texts: ReadonlyMap<string, string>): (path: string) => string {
  const readWhole = namesReadWhole(new ConfigFiles(texts))
  return (path) => {
    const folder = dirname(path)
    return readWhole.has(basename(folder)) ? join(`${folder}${KEPT}`, basename(path)) : `${path}${KEPT}`
  }
}

/**
 * Only the last part of an Include path is compared, in case it names a folder. Placing a copy elsewhere
 * unnecessarily is harmless.
 */
function namesReadWhole(files: ConfigFiles): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { item } of files.items()) {
    if (item.kind !== 'directive' || !/^include(?:optional)?$/i.test(item.name)) continue
    const parts = (item.words[0] ?? '').split('/').filter((part) => part !== '')
    if (parts.at(-1) === '*') parts.pop()
    const name = parts.at(-1)
    if (name !== undefined) names.add(name)
  }
  return names
}
