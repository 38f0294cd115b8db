import type { TextReader } from '@gatewright/api'
import { ConfigLineSplitter } from '@gatewright/api/text'

/** Maximum length of a line in bytes: httpd's buffer of 8192, without the line feed and the null byte. */
const LONGEST_LINE = 8190

/** Finds the most expensive of several hashes; undefined if none is usable. */
export type CostliestHash = (hashes: Iterable<string>) => string | undefined

/** Users of a password file and the text after each name, in file order. */
export class PasswordFile {
  /** The most expensive hash, with which passwords of unknown users are compared. */
  readonly costliestHash: string | undefined
  readonly #lines: ReadonlyMap<string, readonly string[]>

  constructor(lines: ReadonlyMap<string, readonly string[]>, costliestHash: string | undefined) {
    this.#lines = lines
    this.costliestHash = costliestHash
  }

  /** The stored password of a user: the second field of the first line with this name. */
  storedPassword(user: string): string | undefined {
    const rest = this.#lines.get(user)?.[0]
    return rest === undefined ? undefined : passwordIn(rest)
  }

  get names(): readonly string[] {
    return [...this.#lines.keys()]
  }

  /** The third field of the first line with this name and realm, for Digest authentication. */
  realmHash(user: string, realm: string): string | undefined {
    for (const rest of this.#lines.get(user) ?? []) {
      const [ofRealm, hash = ''] = rest.split(':', 2)
      if (ofRealm === realm) return hash
    }
    return undefined
  }
}

/** Reads a password file, completely or for some users. */
export class PasswordReader implements TextReader<PasswordFile> {
  entries = 0
  readonly #users: ReadonlySet<string> | null
  readonly #costliest: CostliestHash
  readonly #splitter = new ConfigLineSplitter(LONGEST_LINE)
  readonly #lines = new Map<string, string[]>()
  #decoy: string | undefined

  /**
   * @param users whose lines are kept; null for all
   * @param costliest finds the hash for refusing unknown users
   */
  constructor(users: ReadonlySet<string> | null, costliest: CostliestHash) {
    this.#users = users
    this.#costliest = costliest
  }

  *read(part: string): Generator<undefined, boolean> {
    for (const line of this.#splitter.lines(part)) {
      this.#take(line)
      yield
    }
    return !this.#splitter.tooLong
  }

  *finish(): Generator<undefined, PasswordFile> {
    for (const line of this.#splitter.rest()) {
      this.#take(line)
      yield
    }
    return new PasswordFile(this.#lines, this.#decoy)
  }

  #take(line: string): void {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const rest = colon < 0 ? '' : line.slice(colon + 1)
    const known = this.#lines.get(name)
    if (known === undefined) this.#takeHash(passwordIn(rest))
    if (this.#users?.has(name) === false) return
    this.entries++
    if (known === undefined) this.#lines.set(name, [rest])
    else known.push(rest)
  }

  #takeHash(stored: string): void {
    if (stored !== '' && stored !== this.#decoy)
      this.#decoy = this.#costliest(this.#decoy === undefined ? [stored] : [this.#decoy, stored])
  }
}

function passwordIn(rest: string): string {
  return rest.split(':', 1)[0]
}
