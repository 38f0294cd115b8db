import {
  type AuthnStatus,
  contexts,
  defineModule,
  directive,
  type MaybePromise,
  type Module,
  type Request,
} from '@gatewright/api'
import { storeCredentials } from '@gatewright/api/peers'
import { systemError } from '@gatewright/api/text'
import { DbmLookup } from '@gatewright/dbm'
import { Decoys, hashOf } from './decoys.ts'

/** Without a merge function: a section with one of the directives does not inherit the other. */
interface AuthnDbmConfig {
  /** AuthDBMUserFile, absolute. */
  userFile?: string
  /** AuthDBMType, as written. */
  type?: string
}

const authnDbm: Module<AuthnDbmConfig> = defineModule({
  name: 'authn_dbm_module',
  source: 'mod_authn_dbm.c',
  capabilities: ['fs'],
  perDirectory: { create: () => ({}) },
  directives: {
    AuthDBMUserFile: directive.take1({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'the DBM file with users and their passwords',
      set: (config: AuthnDbmConfig, path, command) => {
        config.userFile = command.serverRelative(path)
      },
    }),
    AuthDBMType: directive.take1({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'type of the DBM file: SDBM, GDBM, DB or default',
      set: (config: AuthnDbmConfig, type) => {
        config.type = type
      },
    }),
  },
  register({ providers, functions, services, log, configOf }) {
    const lookup = new DbmLookup((paths, open) => services.watchFile(paths, open))

    const decoys = new Decoys(services.costliestHash)
    const decoy = (request: Request): string | undefined => {
      const { userFile, type = 'default' } = configOf(request)
      return userFile === undefined ? undefined : decoys.of(lookup.openReader(userFile, type))
    }

    /** The text stored under a key, up to the first colon; the rest is a comment or a list of groups. */
    const stored = (request: Request, key: string, isUser: boolean): string | 'not-found' | 'general-error' => {
      const { userFile, type = 'default' } = configOf(request)
      const value = userFile === undefined ? NO_FILE : lookup.find(userFile, type, [key])
      if (value === undefined) return 'not-found'
      if (typeof value === 'string') {
        const hash = hashOf(value)
        if (userFile !== undefined && isUser) decoys.saw(lookup.openReader(userFile, type), hash)
        return hash
      }
      log.write(request, 'error', 'AH10285', `could not open dbm (type ${type}) file: ${userFile ?? '(null)'}`, value)
      return 'general-error'
    }

    providers.authn.add('dbm', {
      decidesBy: 'configuration',
      checkPassword(request, user, password): MaybePromise<AuthnStatus> {
        const hash = stored(request, user, true)
        if (hash === 'not-found' || hash === 'general-error') return hash
        functions.get(storeCredentials)?.(request, { provider: 'dbm', user, realm: null, hash })
        const matches = services.verifyPassword(hash, password, request, () => decoy(request))
        return typeof matches === 'boolean' ? statusOf(matches) : matches.then(statusOf)
      },
      decoy,
      realmHash(request, user, realm) {
        const hash = stored(request, `${user}:${realm}`, false)
        if (hash === 'not-found' || hash === 'general-error') return hash
        functions.get(storeCredentials)?.(request, { provider: 'dbm', user, realm, hash })
        return hash
      },
    })
  },
})

const NO_FILE = systemError(2)

function statusOf(matches: boolean): AuthnStatus {
  return matches ? 'granted' : 'denied'
}

export default authnDbm
