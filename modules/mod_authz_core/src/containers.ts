import type { Command, SetResult } from '@gatewright/api'
import type { AuthzConfig } from './authz-config.ts'
import { Group, type Rule } from './decision/node.ts'
import { openContainer, placeOf } from './require-line.ts'

/** The handler of one of the three containers. */
export function containerHandler(
  rule: Rule,
  negated: boolean,
): (config: AuthzConfig, text: string, command: Command) => SetResult {
  return (config, text, command) => {
    const group = new Group({ rule, negated, place: placeOf(command) })
    const wrong = wrongArgument(group.title, text)
    if (wrong !== undefined) return wrong

    const outer = config.open
    config.open = group
    return command.walkThen(['AuthConfig'], () => {
      config.open = outer
      return close(group, config, command)
    })
  }
}

/** Adds a container whose lines are read to the one around it. */
function close(group: Group, config: AuthzConfig, command: Command): SetResult {
  if (group.children.length === 0) return `${group.title} directive contains no authorization directives`
  const parent = openContainer(config, command)
  if (group.negated && parent.rule === 'any') return `${group.title} directive has no effect in ${parent.title} directive`
  // A container of its parent's own kind changes nothing: its children join the parent's.
  if (group.rule === parent.rule && !group.negated) for (const child of group.children) parent.add(child)
  else parent.add(group)
  return undefined
}

/** The containers take no argument. A missing `>` is tolerated only when nothing else stands there. */
function wrongArgument(title: string, text: string): string | undefined {
  const argument = text.trim().replace(/>+$/, '')
  if (argument.trim() === '') return undefined
  return argument === text.trim()
    ? `${title} directive missing closing '>'`
    : `${title} directive doesn't take additional arguments`
}
