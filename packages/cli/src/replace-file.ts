import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Replaces the content of a file atomically: at any time, the name refers to all of the old content or all of
 * the new. Mode, owner and group are kept; a symbolic link is kept and its target is replaced. A file that
 * does not exist is created.
 * @param content bytes, one character each
 * @throws the system's error; the file is unchanged
 */
export function replaceFile(path: string, content: string): void {
  const draft = draftOf(path, content)
  try {
    draft.commit()
  } catch (error) {
    draft.discard()
    throw error
  }
}

/** New content in a temporary file next to the file. */
export interface Draft {
  /** Replaces the file by the new content. @throws the system's error */
  commit(): void
  discard(): void
}

/** The mode of a new file, less the process's umask. */
const NEW_FILE = 0o666

/**
 * Writes new content next to a file.
 * @param content bytes, one character each
 * @param mode that of a file that does not exist yet, less the process's umask
 * @throws the system's error; the temporary file is removed
 */
export function draftOf(path: string, content: string, mode: number = NEW_FILE): Draft {
  const old = statSync(path, { throwIfNoEntry: false })
  const target = old === undefined ? path : realpathSync(path)
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`)
  const discard = (): void => rmSync(draft, { force: true })
  try {
    writeDraft(draft, content, old, mode)
  } catch (error) {
    discard()
    throw error
  }
  return { commit: () => renameSync(draft, target), discard }
}

function writeDraft(draft: string, content: string, old: Stats | undefined, mode: number): void {
  // Readable only by its owner until it has the owner and mode of the old file.
  const fd = openSync(draft, 'wx', old === undefined ? mode : 0o600)
  try {
    writeFileSync(fd, content, 'latin1')
    if (old !== undefined) takeOver(fd, old)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function takeOver(fd: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(fd)
  if (own.uid !== uid || own.gid !== gid) fchownSync(fd, uid, gid)
  fchmodSync(fd, mode & 0o7777)
}
