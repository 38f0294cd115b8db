import type { ProcessOwner } from '@gatewright/api'
import type { WorkerOwner } from './store/store.ts'

/** The numbers of User and Group; null in a process that is not root, or without User. @throws the system's error */
export function workerOwner({ user, group }: ProcessOwner): WorkerOwner | null {
  if (process.geteuid?.() !== 0 || user === UNSET || group === UNSET) return null
  return { uid: numberOf(user, 'user'), gid: numberOf(group, 'group') }
}

const UNSET = '#-1'

/** Node looks up names in the system's databases only when it assumes them. */
function numberOf(name: string, kind: 'user' | 'group'): number {
  const digits = /^#(\d+)$/.exec(name)?.[1]
  if (digits !== undefined) return Number(digits)
  const { geteuid, seteuid, getegid, setegid } = process
  const [get, set] = kind === 'user' ? [geteuid, seteuid] : [getegid, setegid]
  if (get === undefined || set === undefined) throw new Error('this system has no users')
  const former = get()
  set(name)
  const found = get()
  set(former)
  return found
}
