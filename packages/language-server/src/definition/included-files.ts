import { readdirSync, statSync } from 'node:fs'

/** More files, or entries to look at, are not a list that a person reads. */
const MOST_FILES = 200
const MOST_ENTRIES = 5000

/**
 * The files that an Include line names: a file, the files of a folder and below it, or those that match a pattern.
 * @param path absolute
 */
export function includedFiles(path: string): string[] {
  const budget = { left: MOST_ENTRIES }
  let found = ['']
  for (const part of path.split('/').filter((one) => one !== '')) {
    const isPattern = /[*?[]/.test(part)
    const matches = isPattern ? patternOf(part) : null
    found = found.flatMap((folder) =>
      matches === null
        ? [`${folder}/${part}`]
        : namesIn(folder, budget)
            .filter((name) => matches(name))
            .map((name) => `${folder}/${name}`),
    )
    if (found.length > MOST_FILES) found = found.slice(0, MOST_FILES)
  }
  return found.flatMap((file) => filesAt(file, budget)).slice(0, MOST_FILES)
}

function filesAt(path: string, budget: { left: number }): string[] {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() === true) return [path]
  if (stat?.isDirectory() !== true || budget.left <= 0) return []
  return namesIn(path, budget).flatMap((name) => filesAt(`${path}/${name}`, budget))
}

function namesIn(folder: string, budget: { left: number }): string[] {
  try {
    const names = readdirSync(folder === '' ? '/' : folder).sort()
    const some = names.slice(0, Math.max(0, budget.left))
    budget.left -= some.length
    return some.filter((name) => !name.startsWith('.'))
  } catch {
    return []
  }
}

/** A pattern of fnmatch for one name. */
function patternOf(part: string): (name: string) => boolean {
  const source = part.replace(/\[!?[^\]]+\]|[.+^${}()|\\[\]]|\*+|\?/g, (token) => {
    if (token.startsWith('*')) return '.*'
    if (token === '?') return '.'
    if (token.length > 2 && token.startsWith('[')) return token.replace('[!', '[^').replaceAll('\\', '\\\\')
    return `\\${token}`
  })
  try {
    const pattern = new RegExp(`^${source}$`)
    return (name) => pattern.test(name)
  } catch {
    return () => false
  }
}
