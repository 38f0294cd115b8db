import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The programs of a manager that was killed: processes whose standard input is a socket that was bound in its folder. */
export function programsOf(folder: string): number[] {
  const inodes = new Set<string>()
  for (const line of textOf('/proc/net/unix').split('\n')) {
    const [inode, path] = line.split(/\s+/).slice(6)
    if (path?.startsWith(`${folder}/`) === true) inodes.add(inode)
  }
  if (inodes.size === 0) return []
  return namesIn('/proc')
    .map(Number)
    .filter((pid) => {
      const inode = pid > 1 ? /^socket:\[(\d+)\]$/.exec(targetOf(`/proc/${pid}/fd/0`))?.[1] : undefined
      return inode !== undefined && inodes.has(inode)
    })
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // It has ended, or belongs to another user.
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
