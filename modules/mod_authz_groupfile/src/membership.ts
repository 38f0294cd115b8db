import {
  type AuthzProvider,
  fileGroupOf,
  type LogLevelName,
  logUnreadable,
  type ModuleHost,
  type ModuleLog,
  type Request,
  readRegularFile,
  requireWords,
  type WatchedFile,
} from '@gatewright/api'
import { GroupFile, groupKey } from './group-file.ts'

export interface GroupFileConfig {
  /** AuthGroupFile, absolute. */
  groupFile?: string
}

/** Numbers and levels of a provider's messages. */
interface Messages {
  readonly unset: string
  readonly unreadable: string
  readonly inNoGroup: readonly [LogLevelName, string]
  readonly notMember: string
  readonly what: string
}

const GROUP: Messages = {
  unset: 'AH01664',
  unreadable: 'AH01665',
  inNoGroup: ['info', 'AH01666'],
  notMember: 'AH01667',
  what: 'group(s)',
}
const FILE_GROUP: Messages = {
  unset: 'AH01668',
  unreadable: 'AH01669',
  inNoGroup: ['error', 'AH01670'],
  notMember: 'AH01671',
  what: 'file group',
}

/** `Require group NAME...`: the user is in one of the groups. */
export function groupProvider(host: ModuleHost<GroupFileConfig, undefined>, files: GroupFiles): AuthzProvider {
  const { log } = host
  return {
    decidesBy: 'configuration',
    parse(argument, command) {
      const words = requireWords(argument, command, { log, subject: 'authz_groupfile authorize: require group', code: 'AH02592' })
      if (typeof words === 'string') return words
      return (request) => {
        if (request.user === null) return 'denied-no-user'
        const groups = files.groupsOf(request, request.user, GROUP)
        if (groups === undefined) return 'denied'
        const wanted = words.of(request)
        if (wanted === undefined) return 'denied'
        if (wanted.some((group) => groups.has(groupKey(group)))) return 'granted'
        refuse(log, request, 'debug', GROUP.notMember, `user is not part of the 'require'ed ${GROUP.what}.`)
        return 'denied'
      }
    },
  }
}

/** `Require file-group`: the user is in a group that has the name of the system group which owns the file. */
export function fileGroupProvider(host: ModuleHost<GroupFileConfig, undefined>, files: GroupFiles): AuthzProvider {
  const { log, functions } = host
  return {
    decidesBy: 'configuration',
    parse: () => (request) => {
      if (request.user === null) return 'denied-no-user'
      const groups = files.groupsOf(request, request.user, FILE_GROUP)
      if (groups === undefined) return 'denied'
      const groupOf = functions.get(fileGroupOf)
      if (groupOf === undefined) {
        refuse(log, request, 'error', '', 'mod_authz_owner is not loaded.')
        return 'denied'
      }
      const owner = groupOf(request)
      if ('reason' in owner) return 'denied'
      if (groups.has(groupKey(owner.group))) return 'granted'
      refuse(log, request, 'debug', FILE_GROUP.notMember, `user is not part of the 'require'ed ${FILE_GROUP.what}.`)
      return 'denied'
    },
  }
}

/** The group files in use, each read once per version. */
export class GroupFiles {
  private readonly host: ModuleHost<GroupFileConfig, undefined>
  private readonly watched = new Map<string, WatchedFile<GroupFile>>()

  constructor(host: ModuleHost<GroupFileConfig, undefined>) {
    this.host = host
  }

  /** The groups of a user by the file in force; undefined, and logged, when they cannot be told or there are none. */
  groupsOf(request: Request, user: string, messages: Messages): ReadonlySet<string> | undefined {
    const { log, configOf } = this.host
    const { groupFile } = configOf(request)
    if (groupFile === undefined) {
      log.write(request, 'error', messages.unset, 'No group file was specified in the configuration')
      return undefined
    }
    let groups: ReadonlySet<string> | undefined
    try {
      groups = this.watch(groupFile).current().groupsOf(user)
    } catch (error) {
      logUnreadable(log, request, groupFile, error, messages.unreadable, 'Could not open group file')
      return undefined
    }
    if (groups === undefined) {
      const [level, code] = messages.inNoGroup
      refuse(log, request, level, code, `user doesn't appear in group file (${groupFile}).`)
    }
    return groups
  }

  private watch(path: string): WatchedFile<GroupFile> {
    const known = this.watched.get(path)
    if (known !== undefined) return known
    const file = this.host.services.watchFile([path], () => GroupFile.parse(readRegularFile(path)))
    this.watched.set(path, file)
    return file
  }
}

function refuse(log: ModuleLog, request: Request, level: LogLevelName, code: string, reason: string): void {
  if (!log.enabled(request, level)) return
  log.write(request, level, code, `Authorization of user ${request.user} to access ${request.uri} failed, reason: ${reason}`)
}
