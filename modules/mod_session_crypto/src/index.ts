import { defineModule, type Module } from '@gatewright/api'
import { decodeSession, encodeSession } from '@gatewright/api/peers'
import { type CryptoConfig, type CryptoServerConfig, mergeCryptoConfig } from './config.ts'
import { directives } from './directives.ts'
import { addLintRules } from './lint.ts'
import { Sealing } from './sealing.ts'

const sessionCrypto: Module<CryptoConfig, CryptoServerConfig> = defineModule<CryptoConfig, CryptoServerConfig>({
  name: 'session_crypto_module',
  source: 'mod_session_crypto.c',
  capabilities: ['child-process'],
  perDirectory: { create: () => ({}), merge: mergeCryptoConfig },
  perServer: { create: () => ({}) },
  directives,
  register(host) {
    const sealing = new Sealing(host)
    host.optionalHooks.add(encodeSession, (request, session) => sealing.encode(request, session))
    host.optionalHooks.add(decodeSession, (request, session) => sealing.decode(request, session))
    host.hooks.postConfig.add(({ servers: [main] }) => {
      const { driver = 'openssl' } = host.serverConfigOf(main)
      if (driver === 'openssl') host.log.write(main, 'info', 'AH01849', `The crypto library '${driver}' was loaded successfully`)
      else {
        host.log.write(main, 'error', 'AH01846', `The crypto library '${driver}' could not be found`)
        return ''
      }
      return undefined
    })
    addLintRules(host)
  },
})
export default sessionCrypto
