import { readFileSync } from 'node:fs'
import type { ConfigFiles } from '../site/config-files.ts'

/** Members tried of one group. */
const MEMBERS = 3

/**
 * Some members of the groups that rules name, from the group files that the configuration names; and the
 * files that could not be read.
 * @param absolute resolves a path relative to the ServerRoot
 */
export function groupMembers(
  files: ConfigFiles,
  groups: ReadonlySet<string>,
  absolute: (path: string) => string = (path) => path,
): { readonly members: readonly string[]; readonly unread: readonly string[] } {
  const members = new Set<string>()
  const unread: string[] = []
  if (groups.size === 0) return { members: [], unread }
  const paths = new Set<string>()
  for (const { item } of files.items())
    if (item.kind === 'directive' && item.name.toLowerCase() === 'authgroupfile' && item.words[0] !== undefined)
      paths.add(absolute(item.words[0]))
  for (const path of paths) {
    let text: string
    try {
      text = readFileSync(path, 'latin1')
    } catch {
      unread.push(path)
      continue
    }
    for (const line of text.split('\n')) {
      const [name, names = ''] = line.split(':')
      if (!groups.has(name.trim())) continue
      for (const member of names.trim().split(/\s+/).slice(0, MEMBERS)) if (member !== '') members.add(member)
    }
  }
  return { members: [...members], unread }
}
