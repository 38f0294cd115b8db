import { type Command, type Directive, defineModule, directive, type Module } from '@gatewright/api'
import { prepareStatement } from '@gatewright/api/peers'
import { type AuthnDbdConfig, mergeConfig } from './config.ts'
import { DatabaseUsers, labelOf } from './database-users.ts'

const authnDbd: Module<AuthnDbdConfig> = defineModule({
  name: 'authn_dbd_module',
  source: 'mod_authn_dbd.c',
  perDirectory: { create: () => ({}), merge: mergeConfig },
  directives: {
    AuthDBDUserPWQuery: query('Query used to fetch password for user', 'passwordQuery'),
    AuthDBDUserRealmQuery: query('Query used to fetch password for user+realm', 'realmQuery'),
  },
  register(host) {
    host.providers.authn.add('dbd', new DatabaseUsers(host))
    host.hooks.checkConfig.add(() => {
      const prepare = host.functions.get(prepareStatement)
      for (const { config, section } of host.placedConfigs()) {
        for (const text of [config.passwordQuery, config.realmQuery]) {
          if (text !== undefined) prepare?.(section.server, text, labelOf(text))
        }
      }
    })
  },
})

function query(help: string, name: 'passwordQuery' | 'realmQuery'): Directive<AuthnDbdConfig, undefined> {
  return directive.take1({
    scope: 'directory',
    context: ['directory'],
    help,
    set: (config: AuthnDbdConfig, text: string, { services }: Command) => {
      if (!services.moduleLoaded('mod_dbd.c')) return 'You must load mod_dbd to enable AuthDBD functions'
      config[name] = text
      return undefined
    },
  })
}

export default authnDbd
