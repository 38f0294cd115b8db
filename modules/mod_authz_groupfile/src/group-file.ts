import type { TextReader } from '@gatewright/api'
import { ConfigLineSplitter } from '@gatewright/api/text'
import { members } from './members.ts'

/** Maximum length of a line in bytes: 16 MiB, because all members of a group may be on one line. */
const LONGEST_LINE = 16 * 1024 * 1024

/**
 * The key of a group: its name in lower case. Only ASCII letters have a case, because other letters are bytes
 * here.
 */
export function groupKey(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The groups of each user, by key: case is ignored in names of groups, but not in names of users. */
export class GroupFile {
  readonly #groups: ReadonlyMap<string, ReadonlySet<string>>

  constructor(groups: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#groups = groups
  }

  /** The keys of a user's groups; undefined if the user is in none. */
  groupsOf(user: string): ReadonlySet<string> | undefined {
    return this.#groups.get(user)
  }
}

/** Reads a group file with lines `group: member member`, completely or for some users. */
export class GroupReader implements TextReader<GroupFile> {
  entries = 0
  readonly #users: ReadonlySet<string> | null
  readonly #splitter = new ConfigLineSplitter(LONGEST_LINE)
  readonly #groups = new Map<string, Set<string>>()

  /** @param users whose groups are kept; null for all */
  constructor(users: ReadonlySet<string> | null) {
    this.#users = users
  }

  *read(part: string): Generator<undefined, boolean> {
    for (const line of this.#splitter.lines(part)) yield* this.#take(line)
    return !this.#splitter.tooLong
  }

  *finish(): Generator<undefined, GroupFile> {
    for (const line of this.#splitter.rest()) yield* this.#take(line)
    return new GroupFile(this.#groups)
  }

  *#take(line: string): Generator<undefined, void> {
    yield
    const colon = line.indexOf(':')
    if (colon < 0) return
    const group = groupKey(withoutBlanksAtEnd(line.slice(0, colon)))
    for (const member of members(line, colon + 1)) {
      if (this.#users?.has(member) !== false) this.#add(member, group)
      yield
    }
  }

  #add(member: string, group: string): void {
    const known = this.#groups.get(member)
    if (known?.has(group) === true) return
    this.entries++
    if (known === undefined) this.#groups.set(member, new Set([group]))
    else known.add(group)
  }
}

function withoutBlanksAtEnd(name: string): string {
  return name.replace(/(?<![ \t\v\f\r])[ \t\v\f\r]+$/, '')
}
