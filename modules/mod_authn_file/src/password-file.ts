import { configLines } from '@gatewright/api'

/** Longest line in bytes; httpd's buffer, without its end marks. */
const LONGEST_LINE = 8191

/** Users of a password file with what stands behind each name, in the order of the file. */
export class PasswordFile {
  private readonly lines: ReadonlyMap<string, readonly string[]>

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

  /** The third field of the first line with this name and realm, which Digest authentication needs. */
  realmHash(user: string, realm: string): string | undefined {
    for (const rest of this.lines.get(user) ?? []) {
      const [ofRealm, hash = ''] = rest.split(':', 2)
      if (ofRealm === realm) return hash
    }
    return undefined
  }
}
