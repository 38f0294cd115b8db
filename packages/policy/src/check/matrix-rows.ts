import type { Answer } from './answer.ts'
import type { MatrixRow } from './matrix.ts'

/** A folder or file and the answer to each client. */
export interface AnsweredPath {
  readonly url: string
  readonly answers: readonly Answer[]
  readonly files: readonly AnsweredPath[]
  /** Files with names that begin with .ht; only those that some client receives. */
  readonly htFiles: readonly AnsweredPath[]
  readonly folders: readonly AnsweredPath[]
}

/** The paths of a folder; those with the same answers share a row. */
export function matrixRows(folder: AnsweredPath): MatrixRow[] {
  if (isAlike(folder) && count(folder) > 1) return [row(`${folder.url} and all below`, [folder])]
  const whole = folder.folders.filter(isAlike)
  return [
    row(folder.url, [{ ...folder, files: [], htFiles: [], folders: [] }]),
    // These files are listed by name even if all other answers are the same, because they should never be
    // served.
    ...groups(folder.htFiles).map((group) => ({ ...row(someOf(group), group), isExposed: true })),
    ...groups(folder.files).map((group) => row(filesTitle(group, folder), group)),
    ...groups(whole).map((group) => row(foldersTitle(group), group)),
    ...folder.folders.filter((one) => !whole.includes(one)).flatMap(matrixRows),
  ]
}

function row(title: string, paths: readonly AnsweredPath[]): MatrixRow {
  const [{ url, answers }] = paths
  return { title, target: url, count: paths.reduce((sum, path) => sum + count(path), 0), isExposed: false, answers }
}

/** Only statuses are compared: the target of a redirect differs from path to path. */
function key({ answers }: AnsweredPath): string {
  return answers.map(({ status }) => status).join(' ')
}

/**
 * Whether every file in a folder has the same answer as the folder itself, so that none is listed separately.
 */
function isAlike(path: AnsweredPath): boolean {
  const own = key(path)
  if (path.htFiles.length > 0) return false
  return [...path.files, ...path.folders].every((below) => key(below) === own && isAlike(below))
}

function count({ files, folders }: AnsweredPath): number {
  return [...files, ...folders].reduce((sum, below) => sum + count(below), 1)
}

function groups(paths: readonly AnsweredPath[]): AnsweredPath[][] {
  return [...Map.groupBy(paths, key).values()]
}

/** `*` or `*.php` if that identifies the paths, otherwise names. */
function filesTitle(group: readonly AnsweredPath[], { url, files }: AnsweredPath): string {
  if (group.length === 1) return group[0].url
  if (group.length === files.length) return `${url}*`
  const endings = new Set(group.map(ending))
  const [only] = endings
  const isOwn = endings.size === 1 && only !== '' && files.every((file) => group.includes(file) || ending(file) !== only)
  return isOwn ? `${url}*${only}` : someOf(group)
}

function foldersTitle(group: readonly AnsweredPath[]): string {
  return group.length === 1 && count(group[0]) > 1 ? `${group[0].url} and all below` : someOf(group)
}

const SHOWN = 3

function someOf(group: readonly AnsweredPath[]): string {
  const shown = group.slice(0, SHOWN).map(({ url }) => url)
  return group.length > SHOWN ? `${shown.join(', ')} and ${group.length - SHOWN} more` : shown.join(', ')
}

function ending({ url }: AnsweredPath): string {
  return /[^/](\.[^./]+)$/.exec(url)?.[1] ?? ''
}
