import type { Command, SetResult } from '@gatewright/api'
import type { AuthzConfig } from './config.ts'
import { Group, type Rule } from './decision/node.ts'
import { openContainer, placeOf } from './require-line.ts'

/** The handler of one of the three containers. */
export function containerHandler(
  rule: Rule,
  negated: boolean,
): (config: AuthzConfig, text: string, command: Command) => SetResult {
  return (config, text, command) => {
    const own = new Group({ rule, negated, place: placeOf(command) })
    const wrong = wrongArgument(own.title, text)
    if (wrong !== undefined) return wrong

    const outer = config.open
    const parent = openContainer(config, command)
    // A container of the same kind as its parent has no effect of its own: its lines are added to the
    // parent.
    const group = !negated && own.title === parent.title ? parent : own
    const before = group.children.length
    config.open = group
    return command.walkThen(['AuthConfig'], () => {
      config.open = outer
      if (group.children.length === before) return `${group.title} directive contains no authorization directives`
      return group === parent ? undefined : join(parent, group)
    })
  }
}

/** Adds a container that has been read to the one around it. */
function join(parent: Group, group: Group): SetResult {
  if (group.negated && parent.rule === 'any') return `${group.title} directive has no effect in ${parent.title} directive`
  if (group.rule === parent.rule && !group.negated) for (const child of group.children) parent.add(child)
  else parent.add(group)
  return undefined
}

/** Checks that a container has no argument. A missing `>` is tolerated only if there is no other text. */
function wrongArgument(title: string, text: string): string | undefined {
  const end = text.lastIndexOf('>')
  if (end < 0) return text.trim() === '' ? undefined : `${title} directive missing closing '>'`
  return text.slice(0, end).replace(/>+$/, '').trim() === '' ? undefined : `${title} directive doesn't take additional arguments`
}
