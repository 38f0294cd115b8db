import {
  type AuthnStatus,
  defineModule,
  directive,
  logUnreadable,
  type MaybePromise,
  type Module,
  type Request,
  readRegularFile,
  storeCredentials,
  type WatchedFile,
} from '@gatewright/api'
import { PasswordFile } from './password-file.ts'

interface AuthnFileConfig {
  /** AuthUserFile, absolute. */
  userFile?: string
}

/** Numbers of the messages about a file that is missing in the configuration, and one that cannot be read. */
interface Codes {
  readonly unset: string
  readonly unreadable: string
}
const BASIC: Codes = { unset: 'AH01619', unreadable: 'AH01620' }
const DIGEST: Codes = { unset: 'AH01621', unreadable: 'AH01622' }

const authnFile: Module<AuthnFileConfig> = defineModule<AuthnFileConfig>({
  name: 'authn_file_module',
  source: 'mod_authn_file.c',
  perDirectory: { create: () => ({}) },
  directives: {
    AuthUserFile: directive.take1({
      scope: 'directory',
      context: ['directory', 'htaccess'],
      override: 'AuthConfig',
      help: 'the file with users and their passwords',
      set: (config: AuthnFileConfig, path, command) => {
        config.userFile = command.serverRelative(path)
      },
    }),
  },
  register({ providers, functions, services, log, configOf }) {
    const watched = new Map<string, WatchedFile<PasswordFile>>()

    const watchedFile = (path: string): WatchedFile<PasswordFile> => {
      let file = watched.get(path)
      if (file === undefined) {
        file = services.watchFile([path], () => PasswordFile.parse(readRegularFile(path)))
        watched.set(path, file)
      }
      return file
    }

    /** The file in force; undefined, and logged, when there is none or it cannot be read. */
    const fileFor = (request: Request, codes: Codes): PasswordFile | undefined => {
      const { userFile } = configOf(request)
      if (userFile === undefined) {
        log.write(request, 'error', codes.unset, 'AuthUserFile not specified in the configuration')
        return undefined
      }
      try {
        return watchedFile(userFile).current()
      } catch (error) {
        logUnreadable(log, request, userFile, error, codes.unreadable, 'Could not open password file')
        return undefined
      }
    }

    providers.authn.add('file', {
      decidesBy: 'configuration',
      checkPassword(request, user, password): MaybePromise<AuthnStatus> {
        const file = fileFor(request, BASIC)
        if (file === undefined) return 'general-error'
        const stored = file.storedPassword(user)
        if (stored === undefined) return 'not-found'
        functions.get(storeCredentials)?.(request, { provider: 'file', user, realm: null, hash: stored })
        const matches = services.verifyPassword(stored, password, request, () => file.costliestHash(services.costliestHash))
        return typeof matches === 'boolean' ? statusOf(matches) : matches.then(statusOf)
      },
      decoy: (request) => fileFor(request, BASIC)?.costliestHash(services.costliestHash),
      realmHash(request, user, realm) {
        const file = fileFor(request, DIGEST)
        if (file === undefined) return 'general-error'
        const hash = file.realmHash(user, realm)
        if (hash === undefined) return 'not-found'
        functions.get(storeCredentials)?.(request, { provider: 'file', user, realm, hash })
        return hash
      },
      userNames(request) {
        const { userFile } = configOf(request)
        try {
          return userFile === undefined ? [] : watchedFile(userFile).current().names
        } catch {
          // Who wants to log in is told what is wrong with the file.
          return []
        }
      },
    })
  },
})

function statusOf(matches: boolean): AuthnStatus {
  return matches ? 'granted' : 'denied'
}

export default authnFile
