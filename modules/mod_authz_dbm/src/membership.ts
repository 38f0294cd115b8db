import { type AuthzProvider, type AuthzStatus, isExpressionError, type ModuleHost, type Request } from '@gatewright/api'
import { authNameOf, fileGroupOf } from '@gatewright/api/peers'
import { DbmLookup, type LookupFailure } from '@gatewright/dbm'
import { groupNames, groupsIn } from './groups.ts'

/** Without a merge function: a section with one of the directives does not inherit the other. */
export interface DbmGroupConfig {
  /** AuthDBMGroupFile, absolute. */
  groupFile?: string
  /** AuthzDBMType, as written. */
  type?: string
}

/** Codes of a provider's messages. */
interface Codes {
  readonly unset: string
  readonly inNoGroup: string
  readonly notMember: string
}
const GROUP: Codes = { unset: 'AH01798', inNoGroup: 'AH01800', notMember: 'AH01801' }
const FILE_GROUP: Codes = { unset: 'AH01802', inNoGroup: 'AH01804', notMember: 'AH01805' }

/** Implements the two Require providers of the module. */
export class DbmGroups {
  readonly #host: ModuleHost<DbmGroupConfig, undefined>
  readonly #lookup: DbmLookup

  constructor(host: ModuleHost<DbmGroupConfig, undefined>) {
    this.#host = host
    this.#lookup = new DbmLookup((paths, open) => host.services.watchFile(paths, open))
  }

  /**
   * `Require dbm-group NAME...`. A file that cannot be opened is a general error, regardless of other
   * requirements.
   */
  groupProvider(): AuthzProvider {
    const { log } = this.#host
    return {
      decidesBy: 'configuration',
      parse: (argument, command) => {
        const text = command.services.text(argument, command, log)
        if ('error' in text) return `Cannot parse expression in require line: ${text.error}`
        const constantNames = text.constant === undefined ? undefined : groupNames(text.constant)
        const namesFor = (request: Request): readonly string[] | undefined => {
          if (constantNames !== undefined) return constantNames
          try {
            return groupNames(text.of(request))
          } catch (error) {
            if (!isExpressionError(error)) throw error
            const what = "authz_dbm authorize: require dbm-group: Can't evaluate require expression"
            log.write(request, 'error', 'AH02591', `${what}: ${error.message}`)
            return undefined
          }
        }
        return (request) => {
          const groups = this.#groupsOf(request, GROUP, 'general-error')
          if (typeof groups === 'string') return groups
          const names = namesFor(request)
          if (names === undefined) return 'denied'
          if (names.some((name) => groups.includes(name))) return 'granted'
          return this.#refuse(request, GROUP.notMember, "user is not part of the 'require'ed group(s).")
        }
      },
    }
  }

  /** `Require dbm-file-group`: the user is in the group that owns the file. */
  fileGroupProvider(): AuthzProvider {
    const { functions } = this.#host
    return {
      decidesBy: 'configuration',
      parse: () => (request) => {
        const groups = this.#groupsOf(request, FILE_GROUP, 'denied')
        if (typeof groups === 'string') return groups
        const groupOf = functions.get(fileGroupOf)
        if (groupOf === undefined) return this.#refuse(request, '', 'mod_authz_owner is not loaded.')
        const owner = groupOf(request)
        if ('group' in owner && groups.includes(owner.group)) return 'granted'
        return this.#refuse(request, FILE_GROUP.notMember, "user is not part of the 'require'ed group(s).")
      },
    }
  }

  /** The groups of the request's user, or the status that ends the check. */
  #groupsOf(request: Request, codes: Codes, unreadable: AuthzStatus): readonly string[] | AuthzStatus {
    const { log, configOf } = this.#host
    if (request.user === null) return 'denied-no-user'
    const { groupFile, type = 'default' } = configOf(request)
    if (groupFile === undefined) {
      log.write(request, 'error', codes.unset, 'No group file was specified in the configuration')
      return 'denied'
    }
    const value = this.#read(request, request.user, groupFile, type)
    if (value === undefined)
      return this.#refuse(request, codes.inNoGroup, `user doesn't appear in DBM group file (${groupFile}).`)
    if (typeof value === 'string') return groupsIn(value)
    log.write(request, 'error', 'AH01799', `could not open dbm (type ${type}) group access file: ${groupFile}`, value)
    return unreadable
  }

  /** A record of the user in this realm takes precedence over a record of the user alone. */
  #read(request: Request, user: string, file: string, type: string): string | undefined | LookupFailure {
    const realm = this.#host.functions.get(authNameOf)?.(request) ?? ''
    return this.#lookup.find(file, type, [`${user}:${realm}`, user])
  }

  #refuse(request: Request, code: string, reason: string): AuthzStatus {
    const text = `Authorization of user ${request.user} to access ${request.uri} failed, reason: ${reason}`
    this.#host.log.write(request, 'error', code, text)
    return 'denied'
  }
}
