import { statSync } from 'node:fs'
import type { RetainedData } from '@gatewright/api'
import type { CertificateFiles } from '@gatewright/api/peers'
import { fileNamesIn, readBytes } from './files.ts'

const NAME = 'mod_ssl.c:files'

/** What a start has read; plain data. Texts have one character per byte. */
interface FileRecord {
  /** Null for a file that could not be read. */
  readonly contents: Record<string, string | null>
  readonly folders: Record<string, readonly string[]>
  readonly versions: Record<string, string>
  readonly choices: Record<string, CertificateFiles | null>
}

/**
 * The files of a start: certificates, keys and lists. The first process of a configuration reads them from the disk and
 * keeps what it has read in the memory of the supervisor; all others read that. A worker that dies while a file
 * is broken therefore gets a successor, and all workers have the same certificates.
 */
export class StartFiles {
  readonly #kept: FileRecord | null
  readonly #found: FileRecord = { contents: {}, folders: {}, versions: {}, choices: {} }

  private constructor(kept: FileRecord | null) {
    this.#kept = kept
  }

  /** From the disk. */
  static onDisk(): StartFiles {
    return new StartFiles(null)
  }

  /** As the first process found them; from the disk when it kept nothing. */
  static keptIn(data: RetainedData): StartFiles {
    const bytes = data.get(NAME)
    return new StartFiles(bytes === undefined ? null : JSON.parse(Buffer.from(bytes).toString()))
  }

  /** Keeps what was read for the other processes. */
  keepIn(data: RetainedData): void {
    data.set(NAME, Buffer.from(JSON.stringify(this.#found)))
  }

  /** The bytes of a file, or the system's error. Paths have one character per byte. */
  bytes(path: string): Buffer | Error {
    const kept = this.#kept?.contents[path]
    if (kept === null) return new Error(`${path} could not be read`)
    if (kept !== undefined) return Buffer.from(kept, 'latin1')
    const read = readBytes(path)
    this.#found.contents[path] = read instanceof Error ? null : read.toString('latin1')
    return read
  }

  /** The same as text with one character per byte; '' for a file that cannot be read. */
  text(path: string): string {
    const bytes = this.bytes(path)
    return bytes instanceof Error ? '' : bytes.toString('latin1')
  }

  /** Names in a folder that are no folders themselves, in order; none when it cannot be read. */
  namesIn(path: string): readonly string[] {
    return this.#kept?.folders[path] ?? (this.#found.folders[path] = fileNamesIn(path))
  }

  /** Changes when a file does; '' for one that does not exist. */
  version(path: string): string {
    return this.#kept?.versions[path] ?? (this.#found.versions[path] = versionOf(path))
  }

  /** The files that another module has for a server, which may be others later. @param id names server and question */
  choice(id: string, choose: () => CertificateFiles | null): CertificateFiles | null {
    const kept = this.#kept?.choices[id]
    return kept === undefined ? (this.#found.choices[id] = choose()) : kept
  }
}

function versionOf(path: string): string {
  try {
    const found = statSync(Buffer.from(path, 'latin1'), { throwIfNoEntry: false })
    return found === undefined ? '' : `${path} ${found.ino} ${found.size} ${found.mtimeMs}`
  } catch {
    return ''
  }
}
