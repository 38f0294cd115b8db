import { DECLINED, defineModule, type Module, OK } from '@gatewright/api'
import { addAuthenticationInfo } from './authentication-info.ts'
import { readAuthorization } from './authorization.ts'
import { Challenger, realmOf } from './challenger.ts'
import { DigestAuthentication, isDigest, originalOf } from './check-user.ts'
import { clientStores } from './client-memory.ts'
import { Clients } from './clients.ts'
import type { ClientMemory, DigestConfig } from './config.ts'
import { directives } from './directives.ts'
import { Nonces } from './nonce.ts'
import { NonceKeys } from './nonce-keys.ts'

/** The size of the store for the key of nonces, which is in a cache of several machines only. */
const KEY_STORE = 1024

const authDigest: Module<DigestConfig, ClientMemory> = defineModule({
  name: 'auth_digest_module',
  source: 'mod_auth_digest.c',
  // No merge function, as in httpd.
  perDirectory: { create: () => ({}) },
  perServer: { create: () => ({}) },
  directives,
  register(host) {
    const { hooks, functions, services, configOf, serverConfigOf } = host
    const keys = new NonceKeys(services.secret('mod_auth_digest.c'))
    const nonces = new Nonces(keys)
    let clients = new Clients([])
    const challenger = new Challenger(nonces, () => clients)
    const authentication = new DigestAuthentication(host, nonces, () => clients, challenger)

    hooks.postConfig.add(async ({ servers }) => {
      clients = new Clients(clientStores(services, Math.max(...servers.map((server) => serverConfigOf(server).bytes ?? 0))))
      const shared = services.shared('mod_auth_digest.c', KEY_STORE)
      if (shared.reach === 'machines') await keys.shareIn(shared)
    })
    hooks.checkUserId.add((request) => authentication.checkUser(request), { decidesBy: 'configuration' })
    hooks.noteAuthFailure.add((request, authType) => {
      if (!isDigest(authType)) return DECLINED
      const credentials = readAuthorization(originalOf(request).headersIn.get('Authorization') ?? '')
      const opaque = typeof credentials === 'object' && 'nonce' in credentials ? credentials.opaque : null
      const realm = realmOf(functions, request) ?? ''
      const client = authentication.proofOf(request)?.client
      challenger.noteAtOnce({ request, config: configOf(request), realm, opaque }, client ?? undefined)
      return OK
    })
    hooks.fixups.add((request) => {
      const proof = authentication.proofOf(request)
      if (proof === undefined || originalOf(request) !== request) return DECLINED
      addAuthenticationInfo(request, proof, configOf(request), challenger)
      return OK
    })
  },
})

export default authDigest
