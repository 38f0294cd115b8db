import { readFileSync, type Stats, statSync } from 'node:fs'

/** Names of the system's users or groups by number, as its file lists them; what other sources of accounts know is not asked for. */
export class AccountNames {
  readonly #path: string
  #names: ReadonlyMap<number, string> = new Map()
  #version = ''

  /** @param path of a file like `/etc/passwd` or `/etc/group`, where the number is the third field; read again when it changes */
  constructor(path: string) {
    this.#path = path
  }

  /** The name, empty when there is none. */
  nameOf(id: number): string {
    const stats = statSync(this.#path, { throwIfNoEntry: false })
    const version = stats === undefined ? '' : versionOf(stats)
    if (version !== this.#version) {
      this.#names = version === '' ? new Map() : read(this.#path)
      this.#version = version
    }
    return this.#names.get(id) ?? ''
  }
}

function versionOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`
}

/** The first name of a number counts, as for the system. */
function read(path: string): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  for (const line of readFileSync(path, 'latin1').split('\n')) {
    const [name, , id] = line.split(':')
    if (/^\d+$/.test(id ?? '') && !names.has(Number(id))) names.set(Number(id), name)
  }
  return names
}
