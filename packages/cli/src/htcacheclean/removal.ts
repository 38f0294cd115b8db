import { rmdirSync, rmSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { BODY_DELAY, bytesOf } from '@gatewright/disk-cache'
import type { StoredEntry, StoredFile } from './stored-files.ts'

/** Removes responses so that a running server never sends a part of one: all heads first, and their bodies after a delay. */
export class Removal {
  readonly #bodies: StoredFile[] = []
  readonly #isDry: boolean
  readonly #delay: number

  /**
   * @param isDry nothing is removed
   * @param delay milliseconds after which bodies may be removed
   */
  constructor(isDry: boolean, delay: number = BODY_DELAY) {
    this.#isDry = isDry
    this.#delay = delay
  }

  entry({ head, body }: StoredEntry): void {
    this.file(head)
    if (body !== null) this.#bodies.push(body)
  }

  /** A file that no server opens any more. */
  file({ path }: StoredFile): void {
    if (!this.#isDry) remove(path)
  }

  /** Removes the bodies. */
  async end(): Promise<void> {
    if (this.#isDry || this.#bodies.length === 0) return
    await pause(this.#delay)
    for (const { path } of this.#bodies) remove(path)
  }
}

function remove(path: string): void {
  try {
    rmSync(bytesOf(path), { force: true })
  } catch {
    // It may belong to another user; the next turn finds it again.
  }
}

/**
 * Removes those folders that are empty, and have been for the time in which a server writes into a folder that it has made.
 * @param folders each after those in it
 * @param age milliseconds
 * @returns how many were removed
 */
export function removeEmptyFolders(folders: readonly string[], age: number = BODY_DELAY): number {
  return folders.filter((path) => removeFolder(path, age)).length
}

function removeFolder(path: string, age: number): boolean {
  try {
    if (Date.now() - statSync(bytesOf(path)).mtimeMs < age) return false
    rmdirSync(bytesOf(path))
    return true
  } catch {
    // It is not empty.
    return false
  }
}
