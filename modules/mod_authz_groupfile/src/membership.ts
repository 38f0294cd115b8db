import {
  type AuthzProvider,
  type AuthzStatus,
  type LogLevelName,
  logUnreadable,
  type MaybePromise,
  type ModuleHost,
  type ModuleLog,
  type Request,
  requireWords,
  type SearchedFile,
} from '@gatewright/api'
import { fileGroupOf } from '@gatewright/api/peers'
import { type GroupFile, GroupReader, groupKey } from './group-file.ts'

export interface GroupFileConfig {
  /** AuthGroupFile, absolute. */
  groupFile?: string
}

/** Codes and levels of a provider's messages. */
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
        return files.decide(request, request.user, GROUP, (groups) => {
          const wanted = words.of(request)
          if (wanted === undefined) return 'denied'
          if (wanted.some((group) => groups.has(groupKey(group)))) return 'granted'
          refuse(log, request, 'debug', GROUP.notMember, `user is not part of the 'require'ed ${GROUP.what}.`)
          return 'denied'
        })
      }
    },
  }
}

/** `Require file-group`: the user is in a group with the name of the system group that owns the file. */
export function fileGroupProvider(host: ModuleHost<GroupFileConfig, undefined>, files: GroupFiles): AuthzProvider {
  const { log, functions } = host
  return {
    decidesBy: 'configuration',
    parse: () => (request) => {
      if (request.user === null) return 'denied-no-user'
      return files.decide(request, request.user, FILE_GROUP, (groups) => {
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
      })
    },
  }
}

/** The group files that are in use. */
export class GroupFiles {
  readonly #host: ModuleHost<GroupFileConfig, undefined>
  readonly #searched = new Map<string, SearchedFile<GroupFile>>()

  constructor(host: ModuleHost<GroupFileConfig, undefined>) {
    this.#host = host
  }

  /**
   * Decides by the user's groups in the effective file. Denies and logs the reason if the file cannot be read
   * or the user is in no group. Asynchronous if the file is large.
   */
  decide(
    request: Request,
    user: string,
    messages: Messages,
    byGroups: (groups: ReadonlySet<string>) => AuthzStatus,
  ): MaybePromise<AuthzStatus> {
    const { log, configOf } = this.#host
    const { groupFile } = configOf(request)
    if (groupFile === undefined) {
      log.write(request, 'error', messages.unset, 'No group file was specified in the configuration')
      return 'denied'
    }
    const unreadable = (error: unknown): AuthzStatus => {
      logUnreadable(log, request, groupFile, error, messages.unreadable, 'Could not open group file')
      return 'denied'
    }
    const settle = (file: GroupFile): AuthzStatus => {
      const groups = file.groupsOf(user)
      if (groups !== undefined) return byGroups(groups)
      const [level, code] = messages.inNoGroup
      refuse(log, request, level, code, `user doesn't appear in group file (${groupFile}).`)
      return 'denied'
    }
    let file: MaybePromise<GroupFile>
    try {
      file = this.#search(groupFile).find(user)
    } catch (error) {
      return unreadable(error)
    }
    return file instanceof Promise ? file.then(settle, unreadable) : settle(file)
  }

  #search(path: string): SearchedFile<GroupFile> {
    const known = this.#searched.get(path)
    if (known !== undefined) return known
    const file = this.#host.services.searchFile(path, (users) => new GroupReader(users))
    this.#searched.set(path, file)
    return file
  }
}

function refuse(log: ModuleLog, request: Request, level: LogLevelName, code: string, reason: string): void {
  if (!log.enabled(request, level)) return
  log.write(request, level, code, `Authorization of user ${request.user} to access ${request.uri} failed, reason: ${reason}`)
}
