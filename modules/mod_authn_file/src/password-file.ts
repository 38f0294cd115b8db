import { configLines } from '@gatewright/api'

/** Longest line in bytes: httpd's buffer of 8192, without the line feed and its end mark. */
const LONGEST_LINE = 8190

/** Users of a password file with what stands behind each name, in the order of the file. */
export class PasswordFile {
  private readonly lines: ReadonlyMap<string, readonly string[]>

  /** The costliest hash, once somebody has asked; null when there is none. */
  private decoy: string | null | undefined

  private constructor(lines: ReadonlyMap<string, readonly string[]>) {
    this.lines = lines
  }

  /** @param text the file's bytes, one character each */
  static parse(text: string): PasswordFile {
    const lines = new Map<string, string[]>()
    for (const line of configLines(text, LONGEST_LINE)) {
      const colon = line.indexOf(':')
      const name = colon < 0 ? line : line.slice(0, colon)
      const rest = colon < 0 ? '' : line.slice(colon + 1)
      const known = lines.get(name)
      if (known === undefined) lines.set(name, [rest])
      else known.push(rest)
    }
    return new PasswordFile(lines)
  }

  /** The stored password of a user: the second field of the first line with this name. */
  storedPassword(user: string): string | undefined {
    return this.lines.get(user)?.[0].split(':', 1)[0]
  }

  get names(): readonly string[] {
    return [...this.lines.keys()]
  }

  /** The hash that costs most, for passwords of unknown users. @param costliest finds it among all */
  costliestHash(costliest: (hashes: Iterable<string>) => string | undefined): string | undefined {
    this.decoy ??= costliest(this.hashes()) ?? null
    return this.decoy ?? undefined
  }

  /** Of users that can log in with them: the first line of each. */
  private *hashes(): Iterable<string> {
    for (const user of this.lines.keys()) {
      const stored = this.storedPassword(user)
      if (stored !== undefined) yield stored
    }
  }

  /** The third field of the first line with this name and realm, which Digest authentication needs. */
  realmHash(user: string, realm: string): string | undefined {
    for (const rest of this.lines.get(user) ?? []) {
      const [ofRealm, hash = ''] = rest.split(':', 2)
      if (ofRealm === realm) return hash
    }
    return undefined
  }
}
