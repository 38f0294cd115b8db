import type { Command, Script } from './script.ts'

/** A command with the index of the command after its block, or of its label; `commands.length` ends the cycle. */
export interface Step {
  readonly command: Command
  readonly jump: number
}

/** The scripts of a request as one list of steps. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly quiet: boolean
}

/**
 * Joins scripts, outer sections first, and finds the targets of jumps.
 * @returns an error text if a label or the end of a block is missing
 */
export function planOf(scripts: readonly Script[]): Plan | { readonly error: string } {
  const commands = scripts.flatMap((script) => script.commands)
  const labels = new Map<string, number>()
  const ends = new Map<number, number>()
  const open: number[] = []
  for (const [index, { action }] of commands.entries()) {
    if (action.kind === 'label') labels.set(action.label, index)
    else if (action.kind === 'block') open.push(index)
    else if (action.kind === 'end') {
      const begin = open.pop()
      if (begin !== undefined) ends.set(begin, index)
    }
  }
  const steps: Step[] = []
  for (const [index, command] of commands.entries()) {
    const { action } = command
    let jump = commands.length
    if ((action.kind === 'branch' || action.kind === 'test') && action.label !== '') {
      const target = labels.get(action.label)
      if (target === undefined) return { error: `undefined label: ${action.label}` }
      jump = target
    } else if (action.kind === 'block') {
      const end = ends.get(index)
      if (end === undefined) return { error: "too many {'s" }
      jump = end
    }
    steps.push({ command, jump })
  }
  return { steps, quiet: scripts.some(({ quiet }) => quiet) }
}
