import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

/** A user of the system, and the main group. */
export interface Account {
  readonly name: string
  readonly group: string
  readonly uid: number
  readonly gid: number
}

/** The user of Debian's web servers; for other users than root, the present one. */
export function systemUser(): Account {
  const wanted = process.geteuid?.() === 0 ? 'www-data' : userInfo().username
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name === wanted) return { name, group: groupName(gid), uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(`there is no user ${wanted}`)
}

function groupName(gid: string): string {
  const found = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , id]) => id === gid)
  return found?.[0] ?? gid
}
