import { configLines } from '@gatewright/api'
import { membersOf } from './members.ts'

/** Longest line in bytes: 16 MiB, because all members of a group may stand on one. */
const LONGEST_LINE = 16 * 1024 * 1024

/** Names of groups that differ in the case of ASCII letters only are one group. Other letters are bytes here, which have no case. */
export function groupKey(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The groups of each user: their names as keys, because the case of a group's name does not matter; that of a user's does. */
export class GroupFile {
  private readonly groups: ReadonlyMap<string, ReadonlySet<string>>

  private constructor(groups: ReadonlyMap<string, ReadonlySet<string>>) {
    this.groups = groups
  }

  /** @param text the file's bytes, one character each: lines `group: member member` */
  static parse(text: string): GroupFile {
    const groups = new Map<string, Set<string>>()
    for (const line of configLines(text, LONGEST_LINE)) {
      const colon = line.indexOf(':')
      if (colon < 0) continue
      const group = groupKey(line.slice(0, colon).replace(/(?<![ \t\v\f\r])[ \t\v\f\r]+$/, ''))
      for (const member of membersOf(line.slice(colon + 1))) {
        const known = groups.get(member)
        if (known === undefined) groups.set(member, new Set([group]))
        else known.add(group)
      }
    }
    return new GroupFile(groups)
  }

  /** Keys of groups; undefined when the user is in none. */
  groupsOf(user: string): ReadonlySet<string> | undefined {
    return this.groups.get(user)
  }
}
