import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Files that may name a folder. */
const TEXT = /(?:\.(?:php|conf|load|inc|dist|ini|htaccess)|htaccess|envvars|\.auth\.php)$/

/**
 * Copies of folders of the system below a root of their own, whose files name the copies instead of the originals: an
 * installed package with everything that it would change, and nothing else of it is different.
 */
export class RelocatedTree {
  readonly root: string
  readonly #folders: readonly string[]
  readonly #linked: readonly string[]
  readonly #names: RegExp

  /** @param folders absolute, without a slash at the end; no folder may be in another one @param linked those that links lead to */
  constructor(root: string, folders: readonly string[], linked: readonly string[] = []) {
    this.root = root
    this.#folders = folders
    this.#linked = linked
    this.#names = new RegExp(`(?:${folders.map((name) => name.replaceAll('.', '\\.')).join('|')})(?![\\w-])`, 'g')
  }

  /** Makes the copies, and removes former ones. */
  make(): void {
    rmSync(this.root, { recursive: true, force: true })
    for (const folder of this.#folders) {
      mkdirSync(dirname(this.path(folder)), { recursive: true })
      if (existsSync(folder))
        cpSync(folder, this.path(folder), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
      else mkdirSync(this.path(folder))
      this.#rewrite(this.path(folder))
    }
    for (const folder of this.#linked) symlinkSync(folder, this.path(folder))
  }

  /** The copy of a path of the system. */
  path(original: string): string {
    return join(this.root, original)
  }

  read(original: string): string {
    return readFileSync(this.path(original), 'utf8')
  }

  write(original: string, content: string): void {
    mkdirSync(dirname(this.path(original)), { recursive: true })
    writeFileSync(this.path(original), content)
  }

  /** Changes a file of the copies. @throws if there is nothing to change */
  change(original: string, what: string | RegExp, by: string): void {
    const text = this.read(original)
    const changed = text.replace(what, by)
    if (changed === text) throw new Error(`${original} has changed: it does not contain ${what}`)
    this.write(original, changed)
  }

  /** Gives a folder and all in it to a user, if this process may. */
  giveTo(original: string, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
    if (process.geteuid?.() === 0) give(this.path(original), uid, gid)
  }

  #rewrite(path: string): void {
    const stats = lstatSync(path)
    if (stats.isDirectory()) for (const name of readdirSync(path)) this.#rewrite(join(path, name))
    else if (stats.isSymbolicLink()) this.#retarget(path)
    else if (TEXT.test(path)) {
      const text = readFileSync(path, 'latin1')
      const changed = text.replace(this.#names, (found) => this.path(found))
      if (changed !== text) writeFileSync(path, changed, 'latin1')
    }
  }

  #retarget(path: string): void {
    const target = readlinkSync(path)
    const changed = target.replace(this.#names, (found) => this.path(found))
    if (!target.startsWith('/') || changed === target) return
    rmSync(path)
    symlinkSync(changed, path)
  }
}

function give(path: string, uid: number, gid: number): void {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return
  chownSync(path, uid, gid)
  if (stats.isDirectory()) for (const name of readdirSync(path)) give(join(path, name), uid, gid)
}
