import { ConfigError } from '@gatewright/core'
import { credential, type Owner } from '../start/credentials.ts'

/**
 * Changes from root to User and Group: supplementary groups first, then the group, then the user, and
 * verifies that there is no way back. Does nothing in a process that does not run as root.
 * @throws ConfigError, or the system's error, if any step fails: the process must end then
 */
export function dropPrivileges({ user, group }: Owner): void {
  if (process.geteuid?.() !== 0 || user === null) return
  if (group === null) {
    throw refusal(
      '(22)Invalid argument: AH02156: setgid: unable to set group id to Group 4294967295',
      'add a Group line: a server that is started as root with User also requires Group',
    )
  }
  const userId = credential(user)
  const groupId = credential(group)
  takeGroups(userId, groupId)
  process.setgid?.(groupId)
  process.setuid?.(userId)
  if (process.geteuid?.() === 0 || process.getuid?.() === 0 || canReturn())
    throw refusal(`AH02162: setuid: unable to change to uid of ${user}`)
}

function refusal(message: string, hint?: string): ConfigError {
  return new ConfigError('start', '', 0, message, hint)
}

/** A user given by number need not be listed, and then has only the one group. */
function takeGroups(user: string | number, group: string | number): void {
  try {
    initgroups(user, group)
  } catch (error) {
    if (typeof user === 'string') throw error
    process.setgroups?.([group])
  }
}

function canReturn(): boolean {
  try {
    process.setuid?.(0)
    return true
  } catch {
    return false
  }
}

/** Provided by Node, but missing in its type declarations. */
function initgroups(user: string | number, group: string | number): void {
  const call: unknown = Reflect.get(process, 'initgroups')
  if (typeof call !== 'function') throw new Error('this system has no initgroups')
  call(user, group)
}
