import { fileURLToPath } from 'node:url'
import { moduleOfStack } from '@gatewright/core/stacks'

/**
 * What an unresponsive process was doing, for a message: the innermost call of a module, or otherwise the
 * innermost one of the server itself, and the hook.
 * @param stack see ChildErrors
 */
export function busyPlace(stack: readonly string[]): string {
  if (stack.length === 0) return 'it was not executing JavaScript: it was blocked in a system call, or was waiting'
  const modules = stack.map(moduleOfStack)
  const index = modules.findIndex((module) => module !== undefined)
  const module = modules[index]
  const call = stack[index] ?? stack.find((frame) => !frame.includes('node:')) ?? stack[0]
  return `it was busy in ${module === undefined ? 'core' : `module ${module}`}${hookOf(stack)}: ${describeCall(call)}`
}

/**
 * The innermost hook whose function is running, which the host calls through a function of this name; '' if
 * there is none, or if too many calls follow it.
 */
function hookOf(stack: readonly string[]): string {
  for (const call of stack) {
    const name = /^hook (\w+) \(/.exec(call)?.[1]
    if (name !== undefined) return `, hook ${name}`
  }
  return ''
}

/** `spin (/srv/modules/mod_loop.mjs:12)`. */
function describeCall(call: string): string {
  const parts = /^(?:(?<name>.*) \()?(?<file>.*?):(?<line>\d+):\d+\)?$/.exec(call)?.groups
  if (parts === undefined) return call
  return `${parts['name'] ?? 'a function without a name'} (${pathOf(parts['file'] ?? '')}:${parts['line'] ?? ''})`
}

function pathOf(file: string): string {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : file
  } catch {
    return file
  }
}
