import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { type DavEntry, DavError, type DavRepository, type DeadProperty } from '@gatewright/dav'
import { FULL, failure, hasCode } from './failure.ts'
import { bytesOf, isOwnName, STATE_FOLDER, temporaryPath } from './names.ts'
import { PropertyStore } from './property-store.ts'
import { writeDocument } from './upload.ts'

/** Files and folders as resources of WebDAV. What is written is complete before it takes its place. */
export class FileRepository implements DavRepository {
  readonly #properties = new PropertyStore()

  entry(path: string): DavEntry | null {
    try {
      const stats = statSync(bytesOf(path))
      const kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : null
      if (kind === null) return null
      const { size, mtimeMs, ctimeMs, mode } = stats
      return { kind, size, mtimeMs, ctimeMs, executable: (mode & 0o100) !== 0 }
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return null
      throw failure(error, 500, 'Could not look up the resource.', FULL)
    }
  }

  names(path: string): string[] {
    return readdirSync(bytesOf(path), { encoding: 'latin1' })
      .filter((name) => !isOwnName(name))
      .sort()
  }

  write(path: string, content: AsyncIterable<Uint8Array>, from: number | null): Promise<void> {
    return writeDocument(path, content, from)
  }

  makeFolder(path: string): void {
    try {
      mkdirSync(bytesOf(path))
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
        throw new DavError(409, 'Cannot create collection; intermediate collection does not exist.')
      }
      throw failure(error, 403, 'Unable to create collection.', 'There is not enough storage to create this collection.')
    }
  }

  async remove(path: string): Promise<void> {
    const isFolder = this.entry(path)?.kind === 'folder' && !isLink(path)
    const aside = temporaryPath(path)
    try {
      // Under another name at once, so that no client sees half of a folder.
      await rename(bytesOf(path), bytesOf(aside))
      if (!isFolder) this.#properties.forget(path)
      await rm(bytesOf(aside), { recursive: true, force: true })
    } catch (error) {
      throw failure(error, 403, 'Could not remove the resource.', FULL)
    }
  }

  async copy(from: string, to: string, deep: boolean): Promise<void> {
    const aside = temporaryPath(to)
    const isFolder = this.entry(from)?.kind === 'folder'
    try {
      if (isFolder) await copyFolder(from, aside, deep)
      else await copyFile(bytesOf(from), bytesOf(aside))
      await this.#replace(aside, to)
      if (!isFolder) this.#properties.follow(from, to, 'copy')
    } catch (error) {
      await rm(bytesOf(aside), { recursive: true, force: true })
      if (error instanceof DavError) throw error
      const missing = hasCode(error, 'ENOENT', 'ENOTDIR')
      throw failure(
        error,
        missing ? (isFolder ? 403 : 409) : 500,
        missing ? 'Could not open file for writing' : 'Could not copy the resource.',
        FULL,
      )
    }
  }

  async move(from: string, to: string): Promise<void> {
    const isFolder = this.entry(from)?.kind === 'folder'
    try {
      await this.#replace(from, to)
    } catch (error) {
      if (!hasCode(error, 'EXDEV')) throw failure(error, 500, 'Could not rename resource.', FULL)
      // Another file system.
      await this.copy(from, to, true)
      return this.remove(from)
    }
    if (!isFolder) this.#properties.follow(from, to, 'move')
  }

  setExecutable(path: string, executable: boolean): void {
    const { mode } = statSync(bytesOf(path))
    chmodSync(bytesOf(path), executable ? (mode & 0o7777) | 0o100 : mode & 0o7677)
  }

  properties(path: string): readonly DeadProperty[] {
    return this.#properties.read(path, this.#kind(path))
  }

  setProperties(path: string, properties: readonly DeadProperty[]): void {
    this.#properties.write(path, this.#kind(path), properties)
  }

  #kind(path: string): 'file' | 'folder' {
    return this.entry(path)?.kind ?? 'file'
  }

  /** Puts something into a place. What was there is put back if that fails. */
  async #replace(from: string, to: string): Promise<void> {
    const there = this.entry(to)
    const isNewFolder = this.entry(from)?.kind === 'folder'
    if (there === null || (there.kind === 'file' && !isNewFolder)) return rename(bytesOf(from), bytesOf(to))
    const aside = temporaryPath(to)
    await rename(bytesOf(to), bytesOf(aside))
    try {
      await rename(bytesOf(from), bytesOf(to))
    } catch (error) {
      renameSync(bytesOf(aside), bytesOf(to))
      throw error
    }
    if (there.kind === 'file') this.#properties.forget(to)
    await rm(bytesOf(aside), { recursive: true, force: true })
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(bytesOf(path)).isSymbolicLink()
  } catch {
    return false
  }
}

/** Copies a folder with its properties; symbolic links are left out, because they may lead anywhere. */
async function copyFolder(from: string, to: string, deep: boolean): Promise<void> {
  await mkdir(bytesOf(to))
  const entries = await readdir(bytesOf(from), { withFileTypes: true, encoding: 'buffer' })
  for (const entry of entries) {
    const name = entry.name.toString('latin1')
    const source = `${from}/${name}`
    const copied = `${to}/${name}`
    if (name === STATE_FOLDER) {
      await mkdir(bytesOf(copied))
      for (const file of await readdir(bytesOf(source), { encoding: 'buffer' })) {
        const own = file.toString('latin1')
        if (own.endsWith('.json') && (deep || own.startsWith('.state_for_dir'))) {
          await copyFile(bytesOf(`${source}/${own}`), bytesOf(`${copied}/${own}`))
        }
      }
    } else if (!deep || isOwnName(name)) continue
    else if (entry.isDirectory()) await copyFolder(source, copied, true)
    else if (entry.isFile()) await copyFile(bytesOf(source), bytesOf(copied))
  }
}
