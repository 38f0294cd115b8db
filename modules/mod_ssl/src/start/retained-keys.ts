import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { RetainedData } from '@gatewright/api'
import type { StartFiles } from './start-files.ts'

const NAME = 'mod_ssl.c:keys'

interface KeptKey {
  /** Path, size and time of the file that it was read from. */
  readonly version: string
  /** PKCS #8, in Base64. */
  readonly key: string
}

/**
 * Keys that a pass phrase has opened, kept for the other processes and for reloads, when nobody can be asked. A
 * key is taken again as long as its file does not change.
 */
export class RetainedKeys {
  readonly #data: RetainedData
  readonly #files: StartFiles

  constructor(data: RetainedData, files: StartFiles) {
    this.#data = data
    this.#files = files
  }

  /** @param id `NAME:PORT:INDEX` */
  get(id: string, file: string): KeyObject | undefined {
    const kept = this.#all()[id]
    if (kept === undefined || kept.version !== this.#files.version(file)) return undefined
    return createPrivateKey({ key: Buffer.from(kept.key, 'base64'), format: 'der', type: 'pkcs8' })
  }

  /** @returns the key */
  keep(id: string, file: string, key: KeyObject): KeyObject {
    const der = key.export({ type: 'pkcs8', format: 'der' })
    const all = { ...this.#all(), [id]: { version: this.#files.version(file), key: der.toString('base64') } }
    this.#data.set(NAME, Buffer.from(JSON.stringify(all)))
    return key
  }

  #all(): Readonly<Record<string, KeptKey>> {
    const bytes = this.#data.get(NAME)
    return bytes === undefined ? {} : JSON.parse(Buffer.from(bytes).toString())
  }
}
