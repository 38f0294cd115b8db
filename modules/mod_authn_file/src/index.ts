import {
  type AuthnStatus,
  contexts,
  defineModule,
  directive,
  logUnreadable,
  type MaybePromise,
  type Module,
  type Request,
  type SearchedFile,
} from '@gatewright/api'
import { storeCredentials } from '@gatewright/api/peers'
import { type PasswordFile, PasswordReader } from './password-file.ts'

interface AuthnFileConfig {
  /** AuthUserFile, absolute. */
  userFile?: string
}

/** Codes of the messages about a file that is not configured, and one that cannot be read. */
interface Codes {
  readonly unset: string
  readonly unreadable: string
}
const BASIC: Codes = { unset: 'AH01619', unreadable: 'AH01620' }
const DIGEST: Codes = { unset: 'AH01621', unreadable: 'AH01622' }

const authnFile: Module<AuthnFileConfig> = defineModule({
  name: 'authn_file_module',
  source: 'mod_authn_file.c',
  perDirectory: { create: () => ({}) },
  directives: {
    AuthUserFile: directive.take1({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'the file with users and their passwords',
      set: (config: AuthnFileConfig, path, command) => {
        config.userFile = command.serverRelative(path)
      },
    }),
  },
  register({ providers, functions, services, log, configOf }) {
    const searched = new Map<string, SearchedFile<PasswordFile>>()
    /**
     * By path: the hash for unknown users from the latest search of a file that is too large to keep in
     * memory.
     */
    const decoys = new Map<string, string | undefined>()

    const searchedFile = (path: string): SearchedFile<PasswordFile> => {
      let file = searched.get(path)
      if (file === undefined) {
        file = services.searchFile(path, (users) => new PasswordReader(users, services.costliestHash))
        searched.set(path, file)
      }
      return file
    }

    /**
     * The search result for a user in the effective file; undefined if there is no file or it cannot be read,
     * which is logged.
     */
    const lookUp = (request: Request, user: string, codes: Codes): MaybePromise<PasswordFile | undefined> => {
      const { userFile } = configOf(request)
      if (userFile === undefined) {
        log.write(request, 'error', codes.unset, 'AuthUserFile not specified in the configuration')
        return undefined
      }
      const unreadable = (error: unknown): undefined =>
        void logUnreadable(log, request, userFile, error, codes.unreadable, 'Could not open password file')
      try {
        const found = searchedFile(userFile).find(user)
        if (!(found instanceof Promise)) return found
        return found.then((file) => {
          decoys.set(userFile, file.costliestHash)
          return file
        }, unreadable)
      } catch (error) {
        return unreadable(error)
      }
    }

    const whole = (path: string): PasswordFile | undefined => {
      try {
        return searchedFile(path).whole()
      } catch {
        // An error in the file is logged at the next login.
        return undefined
      }
    }

    const verify = (
      request: Request,
      file: PasswordFile | undefined,
      user: string,
      password: string,
    ): MaybePromise<AuthnStatus> => {
      if (file === undefined) return 'general-error'
      const stored = file.storedPassword(user)
      if (stored === undefined) return 'not-found'
      functions.get(storeCredentials)?.(request, { provider: 'file', user, realm: null, hash: stored })
      const matches = services.verifyPassword(stored, password, request, () => file.costliestHash)
      return typeof matches === 'boolean' ? statusOf(matches) : matches.then(statusOf)
    }

    const realmHash = (
      request: Request,
      file: PasswordFile | undefined,
      user: string,
      realm: string,
    ): string | 'general-error' | 'not-found' => {
      if (file === undefined) return 'general-error'
      const hash = file.realmHash(user, realm)
      if (hash === undefined) return 'not-found'
      functions.get(storeCredentials)?.(request, { provider: 'file', user, realm, hash })
      return hash
    }

    providers.authn.add('file', {
      decidesBy: 'configuration',
      checkPassword(request, user, password): MaybePromise<AuthnStatus> {
        const file = lookUp(request, user, BASIC)
        return file instanceof Promise
          ? file.then((found) => verify(request, found, user, password))
          : verify(request, file, user, password)
      },
      decoy(request) {
        const { userFile } = configOf(request)
        if (userFile === undefined) return undefined
        const file = whole(userFile)
        return file === undefined ? decoys.get(userFile) : file.costliestHash
      },
      realmHash(request, user, realm) {
        const file = lookUp(request, user, DIGEST)
        return file instanceof Promise
          ? file.then((found) => realmHash(request, found, user, realm))
          : realmHash(request, file, user, realm)
      },
      userNames(request) {
        const { userFile } = configOf(request)
        return userFile === undefined ? [] : (whole(userFile)?.names ?? [])
      },
    })
  },
})

function statusOf(matches: boolean): AuthnStatus {
  return matches ? 'granted' : 'denied'
}

export default authnFile
