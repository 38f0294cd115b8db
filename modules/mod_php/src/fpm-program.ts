import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Folders that are not in the PATH of every user. */
const OTHERS: readonly string[] = ['/usr/sbin', '/usr/local/sbin']
const NAME = /^php-fpm(\d+(?:\.\d+)?)?$/

/** The newest PHP-FPM in PATH and in the folder of Debian, or null. */
export function findFpm(path: string = process.env.PATH ?? '', others: readonly string[] = OTHERS): string | null {
  const found: { readonly file: string; readonly version: number }[] = []
  for (const folder of new Set([...path.split(delimiter), ...others])) {
    if (folder === '' || !existsSync(folder)) continue
    for (const name of readdirSync(folder)) {
      const match = NAME.exec(name)
      if (match !== null) found.push({ file: join(folder, name), version: versionNumber(match[1]) })
    }
  }
  found.sort((a, b) => b.version - a.version)
  return found[0]?.file ?? null
}

/** A name without a version is the choice of the administrator. */
function versionNumber(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  const [major, minor = '0'] = text.split('.')
  return Number(major) * 1000 + Number(minor)
}
