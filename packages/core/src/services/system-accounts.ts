import { type HostServices, readRegularFile, type WatchedFile } from '@gatewright/api'

/** Names by number. */
type Names = ReadonlyMap<number, string>

/**
 * Names of the system's users and groups from /etc/passwd and /etc/group; other directories (such as LDAP)
 * are not consulted.
 */
export class SystemAccounts {
  readonly #users: WatchedFile<Names>
  readonly #groups: WatchedFile<Names>
  readonly #homes: WatchedFile<ReadonlyMap<string, string>>

  constructor(watchFile: HostServices['watchFile'], userFile = '/etc/passwd', groupFile = '/etc/group') {
    this.#users = watchFile([userFile], () => namesIn(readRegularFile(userFile)))
    this.#homes = watchFile([userFile], () => homesIn(readRegularFile(userFile)))
    this.#groups = watchFile([groupFile], () => namesIn(readRegularFile(groupFile)))
  }

  /** Null if the number does not exist, or the file cannot be read. */
  userName(uid: number): string | null {
    return nameOf(this.#users, uid)
  }

  /** Null if the name does not exist, or the file cannot be read. */
  homeFolder(user: string): string | null {
    try {
      return this.#homes.current().get(user) ?? null
    } catch {
      return null
    }
  }

  groupName(gid: number): string | null {
    return nameOf(this.#groups, gid)
  }
}

function nameOf(file: WatchedFile<Names>, id: number): string | null {
  try {
    return file.current().get(id) ?? null
  } catch {
    return null
  }
}

/** Lines `name:password:number:...`; the first line of a number applies, as in getpwuid(3). */
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

/** Lines `name:password:uid:gid:comment:home:shell`; the first line of a name applies, as in getpwnam(3). */
function homesIn(text: string): ReadonlyMap<string, string> {
  const homes = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [name, , , , , home] = line.split(':', 6)
    if (name === '' || name.startsWith('#') || home === undefined || homes.has(name)) continue
    homes.set(name, home)
  }
  return homes
}
