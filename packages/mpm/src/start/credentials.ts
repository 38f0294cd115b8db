import { readFileSync } from 'node:fs'

/** The identity of the workers according to User and Group; null if they are not set. */
export interface Owner {
  readonly user: string | null
  readonly group: string | null
}

/** The value of a User or Group that is not set. */
const UNSET = '#-1'

/** User and Group of a configuration. */
export function ownerOf({ user, group }: Owner): Owner {
  return { user: user === UNSET ? null : user, group: group === UNSET ? null : group }
}

/** The form of a User or Group that system calls accept: `#33` is a number, everything else a name. */
export function credential(text: string): string | number {
  const number = /^#(\d+)$/.exec(text)
  return number === null ? text : Number(number[1])
}

/** Whether a User exists; numbers are accepted without a check. */
export function userExists(text: string): boolean {
  const name = credential(text)
  return typeof name === 'number' || isListed('/etc/passwd', name) || isKnownToSystem(() => becomeAndReturn('user', name))
}

/** Whether a Group exists; numbers are accepted without a check. */
export function groupExists(text: string): boolean {
  const name = credential(text)
  return typeof name === 'number' || isListed('/etc/group', name) || isKnownToSystem(() => becomeAndReturn('group', name))
}

function isListed(database: string, name: string): boolean {
  try {
    return readFileSync(database, 'latin1')
      .split('\n')
      .some((line) => line.startsWith(`${name}:`))
  } catch {
    return false
  }
}

/**
 * Node resolves names through the system's databases only when it assumes them; an unknown name is recognized
 * by its error code.
 */
function isKnownToSystem(become: () => void): boolean {
  try {
    become()
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_CREDENTIAL')
  }
}

function becomeAndReturn(kind: 'user' | 'group', name: string): void {
  if (kind === 'user') {
    const former = process.geteuid?.() ?? 0
    process.seteuid?.(name)
    process.seteuid?.(former)
  } else {
    const former = process.getegid?.() ?? 0
    process.setegid?.(name)
    process.setegid?.(former)
  }
}
