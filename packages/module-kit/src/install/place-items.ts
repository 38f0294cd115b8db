import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Item } from './item.ts'

/** The results, as counts; `kept` lists the final paths of the operator's files that differ from ours. */
export interface Placed {
  written: number
  unchanged: number
  readonly kept: string[]
}

/**
 * Installs files and folders. Each file is complete before it gets its name, so a process that reads it
 * meanwhile, such as a running server, gets the old or the new file.
 * @param destination prepended to every path; empty for none
 * @throws the system's error
 */
export function placeItems(items: readonly Item[], destination: string, placed: Placed): void {
  for (const item of items) {
    const path = `${destination}${item.path}`
    makeFolder(item.kind === 'folder' ? path : dirname(path))
    if (item.kind === 'folder') continue
    if (isSame(path, item)) placed.unchanged++
    else if (item.existing === 'keep' && existsSync(path)) placed.kept.push(item.path)
    else {
      writeItem(path, item)
      placed.written++
    }
  }
}

type FileItem = Extract<Item, { kind: 'file' }>

/** Regardless of the umask: the server's other user needs search permission. */
function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) chmodSync(made, 0o755)
}

function isSame(path: string, { content, mode }: FileItem): boolean {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there === undefined || !there.isFile() || (there.mode & 0o777) !== mode) return false
  if ('from' in content) {
    const { size, mtimeMs } = statSync(content.from)
    return there.size === size && Math.abs(there.mtimeMs - mtimeMs) < 1000
  }
  return there.size === content.length && readFileSync(path).equals(content)
}

function writeItem(path: string, { content, mode }: FileItem): void {
  const unfinished = `${path}.${process.pid}.new`
  try {
    if ('from' in content) copyWithTime(content.from, unfinished)
    else writeFileSync(unfinished, content)
    chmodSync(unfinished, mode)
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** The modification time later shows whether the file is unchanged. */
function copyWithTime(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  const { atime, mtime } = statSync(from)
  utimesSync(to, atime, mtime)
}
