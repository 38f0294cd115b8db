import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { type Draft, draftOf, replaceFile } from './replace-file.ts'

/** The new content of a file. One character per byte. */
export interface NewContent {
  readonly path: string
  readonly content: string
  /** Its expected current content: if it differs, nothing is written. Absent: any content, or none. */
  readonly old?: string
  /** Where the old file is kept, unless a file already exists there. */
  readonly keptAs?: string
  /** The mode of the file if it does not exist yet, less the process's umask; an existing file keeps its own. */
  readonly mode?: number
}

/** Why nothing was written. */
export class NotWritten extends Error {
  /** The solution, for a separate line. */
  readonly hint: string | undefined

  constructor(message: string, cause?: Error, hint?: string) {
    super(message, { cause })
    this.hint = hint
  }
}

/**
 * Writes several files that are consistent only together: all of them, or none. New contents are first
 * written next to the files; names change only when all are complete. Until then, a signal cancels the
 * operation.
 * @throws NotWritten; every file is unchanged
 */
export async function replaceTogether(files: readonly NewContent[]): Promise<void> {
  const writing = new Writing()
  const signals = new HeldSignals()
  try {
    for (const file of files) {
      writing.prepare(file)
      // Signals are handled only between two turns of the event loop.
      await turn()
      if (signals.seen !== null) throw new NotWritten(`interrupted by ${signals.seen}`)
    }
    writing.commit()
  } catch (error) {
    writing.undo()
    throw error
  } finally {
    signals.release()
  }
}

class Writing {
  readonly #drafts: { readonly file: NewContent; readonly draft: Draft; done: boolean }[] = []
  readonly #kept: string[] = []
  readonly #folders: string[] = []

  prepare(file: NewContent): void {
    const { path, content, keptAs, mode } = file
    checkUnchanged(file)
    attempt(path, () => {
      this.#makeFolder(dirname(path))
      this.#drafts.push({ file, draft: draftOf(path, content, mode), done: false })
      if (keptAs !== undefined) this.#keep(path, keptAs)
    })
  }

  commit(): void {
    for (const one of this.#drafts) {
      checkUnchanged(one.file)
      attempt(one.file.path, () => one.draft.commit())
      one.done = true
    }
  }

  undo(): void {
    for (const { file, draft, done } of this.#drafts.toReversed())
      if (!done) draft.discard()
      else if (file.old === undefined) rmSync(file.path, { force: true })
      else replaceFile(file.path, file.old)
    for (const path of this.#kept) rmSync(path, { force: true })
    for (const folder of this.#folders.toReversed())
      try {
        rmdirSync(folder)
      } catch {
        // Another program has created a file there.
      }
  }

  #makeFolder(folder: string): void {
    if (existsSync(folder)) return
    this.#makeFolder(dirname(folder))
    mkdirSync(folder)
    this.#folders.push(folder)
  }

  #keep(path: string, kept: string): void {
    if (existsSync(kept)) return
    this.#makeFolder(dirname(kept))
    const old = realpathSync(path)
    try {
      // Makes a second name for the old file, which cannot be incomplete.
      linkSync(old, kept)
    } catch {
      copyFileSync(old, `${kept}.new`)
      renameSync(`${kept}.new`, kept)
    }
    this.#kept.push(kept)
  }
}

function checkUnchanged({ path, old }: NewContent): void {
  if (old === undefined) return
  const now = attempt(path, () => readFileSync(path, 'latin1'))
  if (now !== old) throw new NotWritten(`${path} was changed by another program in the meantime: run the command again`)
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    const hint = HINTS[String(error.code)]
    throw new NotWritten(`${path}: ${error.message}`, error, hint)
  }
}

const ELSEWHERE = 'write elsewhere with --output DIR, or run the command as a user with write permission'
const HINTS: Readonly<Record<string, string | undefined>> = {
  EACCES: ELSEWHERE,
  EPERM: ELSEWHERE,
  EROFS: ELSEWHERE,
  ENOSPC: 'the file system is full: free some space, or write elsewhere with --output DIR',
  EDQUOT: 'the quota of this user is exhausted: free some space, or write elsewhere with --output DIR',
  ENOTDIR: '--output requires a folder, and this is a file',
  EEXIST: '--output requires a folder, and this is a file',
}

/** Keeps termination signals from ending the process at an arbitrary point, and remembers them. */
class HeldSignals {
  seen: NodeJS.Signals | null = null
  readonly #note = (signal: NodeJS.Signals): void => {
    this.seen = signal
  }

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#note)
  }

  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#note)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
