import { type ModuleLog, readRegularFile, type Server } from '@gatewright/api'
import type { MagicEntry } from './magic-entry.ts'
import { parseMagic } from './parse-magic.ts'

export interface MimeMagicServer {
  /** Absolute path. */
  file?: string
}

/** The tests of the servers, from their magic files. */
export class MagicFiles {
  readonly #configOf: (server: Server) => Readonly<MimeMagicServer>
  readonly #log: ModuleLog
  readonly #byFile = new Map<string, readonly MagicEntry[]>()

  constructor(configOf: (server: Server) => Readonly<MimeMagicServer>, log: ModuleLog) {
    this.#configOf = configOf
    this.#log = log
  }

  /** Reads each file once. As in httpd, one that cannot be read, and lines that cannot be understood, only cost their types. */
  read(servers: readonly Server[]): void {
    for (const server of servers) {
      const { file } = this.#configOf(server)
      if (file === undefined || this.#byFile.has(file)) continue
      let text: string
      try {
        text = readRegularFile(file)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        this.#log.write(server, 'error', 'AH01515', `mod_mime_magic: can't read magic file ${file}`, error)
        continue
      }
      const { entries, mistakes } = parseMagic(text)
      for (const { code, message, line } of mistakes) this.#log.write(server, 'error', code, `${message}: ${file}:${line}`)
      this.#byFile.set(file, entries)
    }
  }

  /** null for a server without a file. */
  of(server: Server): readonly MagicEntry[] | null {
    const { file } = this.#configOf(server)
    return file === undefined ? null : (this.#byFile.get(file) ?? null)
  }
}
