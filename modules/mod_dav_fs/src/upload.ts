import { closeSync, fchmodSync, openSync, renameSync, rmSync, statSync, writev, writevSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { FULL, failure, hasCode } from './failure.ts'
import { bytesOf, temporaryPath } from './names.ts'

const NOT_WRITTEN = 'An error occurred while writing to a resource.'

/**
 * Bytes that are written without leaving the event loop: less than what a thread that writes them costs, about a millisecond of
 * processor time on two processors for all operations of a document.
 */
const SHORT = 64 * 1024

/** Bytes that are gathered for one operation of a thread. */
const BATCH = 512 * 1024

const writeAll = promisify(writev)

/**
 * Writes a document: into a hidden file beside it, which is renamed when it is complete. As in httpd, the system decides when the
 * bytes reach the disk.
 * @param from the first byte that is replaced in the document as it is; null: the whole document
 * @throws DavError; what the body throws. The document is then as it was
 */
export async function writeDocument(path: string, content: AsyncIterable<Uint8Array>, from: number | null): Promise<void> {
  const aside = bytesOf(temporaryPath(path))
  const file = create(aside, path)
  let isOpen = true
  try {
    const mode = modeOf(path)
    if (from !== null && mode !== null) await copyFile(bytesOf(path), aside)
    await writeBody(file, content, from ?? 0)
    if (mode !== null) keepMode(file, mode)
    isOpen = false
    // Network file systems report here that a disk is full.
    attempt(NOT_WRITTEN, () => closeSync(file))
    attempt('Could not rename the resource.', () => renameSync(aside, bytesOf(path)))
  } catch (error) {
    if (isOpen) closeSync(file)
    rmSync(aside, { force: true })
    throw error
  }
}

async function writeBody(file: number, content: AsyncIterable<Uint8Array>, from: number): Promise<void> {
  let gathered: Uint8Array[] = []
  let length = 0
  let at = from
  for await (const chunk of content) {
    gathered.push(chunk)
    length += chunk.length
    if (length < BATCH) continue
    await writeBatch(file, gathered, at)
    at += length
    gathered = []
    length = 0
  }
  if (length > SHORT) await writeBatch(file, gathered, at)
  else writeShort(file, gathered, at)
}

/** @throws DavError */
async function writeBatch(file: number, chunks: readonly Uint8Array[], from: number): Promise<void> {
  let rest = chunks
  let at = from
  while (rest.length > 0) {
    const { bytesWritten } = await writeAll(file, rest, at).catch((error: unknown) => {
      throw failure(error, 500, NOT_WRITTEN, FULL)
    })
    at += bytesWritten
    rest = withoutFirst(rest, bytesWritten)
  }
}

/** @throws DavError */
function writeShort(file: number, chunks: readonly Uint8Array[], from: number): void {
  let rest = chunks
  let at = from
  while (rest.length > 0) {
    const written = attempt(NOT_WRITTEN, () => writevSync(file, rest, at))
    at += written
    rest = withoutFirst(rest, written)
  }
}

/** What is left of chunks after their first bytes. */
function withoutFirst(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  const rest: Uint8Array[] = []
  let skipped = count
  for (const chunk of chunks) {
    const skips = Math.min(skipped, chunk.length)
    skipped -= skips
    if (skips < chunk.length) rest.push(chunk.subarray(skips))
  }
  return rest
}

/** @throws DavError */
function create(aside: Buffer, path: string): number {
  try {
    return openSync(aside, 'wx', 0o666)
  } catch (error) {
    const status = hasCode(error, 'ENOENT', 'ENOTDIR') ? 409 : 500
    throw failure(error, status, `An error occurred while opening a resource for writing: ${path}.`, FULL)
  }
}

function keepMode(file: number, mode: number): void {
  try {
    fchmodSync(file, mode)
  } catch {
    // A file system without permissions: the document gets those of a new file.
  }
}

/** @throws DavError for what the system refuses */
function attempt<T>(text: string, operation: () => T): T {
  try {
    return operation()
  } catch (error) {
    throw failure(error, 500, text, FULL)
  }
}

/** The permissions of a file that is replaced; null if there is none. */
function modeOf(path: string): number | null {
  try {
    return statSync(bytesOf(path)).mode & 0o7777
  } catch {
    return null
  }
}
