import type { TextReader } from '@gatewright/api'
import { ConfigLineSplitter } from '@gatewright/api/text'
import { members } from './members.ts'

/** Longest line in bytes: 16 MiB, because all members of a group may stand on one. */
const LONGEST_LINE = 16 * 1024 * 1024

/** Names of groups that differ in the case of ASCII letters only are one group. Other letters are bytes here, which have no case. */
export function groupKey(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The groups of each user: their names as keys, because the case of a group's name does not matter; that of a user's does. */
export class GroupFile {
  readonly #groups: ReadonlyMap<string, ReadonlySet<string>>

  constructor(groups: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#groups = groups
  }

  /** Keys of groups; undefined when the user is in none. */
  groupsOf(user: string): ReadonlySet<string> | undefined {
    return this.#groups.get(user)
  }
}

/** Reads a group file, lines `group: member member`, or what it says of some users. */
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
