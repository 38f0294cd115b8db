import { DECLINED, defineModule, type Module, OK } from '@gatewright/api'
import { addAuthenticationInfo } from './authentication-info.ts'
import { readAuthorization } from './authorization.ts'
import { Challenger, realmOf } from './challenger.ts'
import { DigestAuthentication, isDigest, originalOf } from './check-user.ts'
import { Clients } from './clients.ts'
import type { ClientMemory, DigestConfig } from './config.ts'
import { directives } from './directives.ts'
import { Nonces } from './nonce.ts'

const authDigest: Module<DigestConfig, ClientMemory> = defineModule({
  name: 'auth_digest_module',
  source: 'mod_auth_digest.c',
  // No merge function, as in httpd.
  perDirectory: { create: () => ({}) },
  perServer: { create: () => ({}) },
  directives,
  register(host) {
    const { hooks, functions, services, configOf, serverConfigOf } = host
    const nonces = new Nonces(services.secret('mod_auth_digest.c'))
    const clients = new Clients()
    const challenger = new Challenger(nonces, clients)
    const authentication = new DigestAuthentication(host, nonces, clients, challenger)

    hooks.postConfig.add(({ servers }) => {
      clients.resize(Math.max(...servers.map((server) => serverConfigOf(server).bytes ?? 0)))
    })
    hooks.checkUserId.add((request) => authentication.checkUser(request), { decidesBy: 'configuration' })
    hooks.noteAuthFailure.add((request, authType) => {
      if (!isDigest(authType)) return DECLINED
      const credentials = readAuthorization(originalOf(request).headersIn.get('Authorization') ?? '')
      const opaque = typeof credentials === 'object' && 'nonce' in credentials ? credentials.opaque : null
      challenger.note(request, configOf(request), realmOf(functions, request) ?? '', opaque, 'fresh')
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
