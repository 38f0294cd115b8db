import { type HostServices, readRegularFile, type WatchedFile } from '@gatewright/api'

/** Names by number. */
type Names = ReadonlyMap<number, string>

/** Names of the system's users and groups, as /etc/passwd and /etc/group have them; other directories (LDAP, say) are not asked. */
export class SystemAccounts {
  private readonly users: WatchedFile<Names>
  private readonly groups: WatchedFile<Names>

  constructor(watchFile: HostServices['watchFile'], userFile = '/etc/passwd', groupFile = '/etc/group') {
    this.users = watchFile([userFile], () => namesIn(readRegularFile(userFile)))
    this.groups = watchFile([groupFile], () => namesIn(readRegularFile(groupFile)))
  }

  /** Null when nobody has the number, or the file cannot be read. */
  userName(uid: number): string | null {
    return nameOf(this.users, uid)
  }

  groupName(gid: number): string | null {
    return nameOf(this.groups, gid)
  }
}

function nameOf(file: WatchedFile<Names>, id: number): string | null {
  try {
    return file.current().get(id) ?? null
  } catch {
    return null
  }
}

/** Lines `name:password:number:...`; the first of a number counts, as it does for getpwuid(3). */
function namesIn(text: string): Names {
  const names = new Map<number, string>()
  for (const line of text.split('\n')) {
    const [name, , number] = line.split(':', 3)
    if (name === '' || name.startsWith('#') || number === undefined || !/^\d+$/.test(number)) continue
    const id = Number(number)
    if (!names.has(id)) names.set(id, name)
  }
  return names
}
