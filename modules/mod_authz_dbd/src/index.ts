import { type Command, type Directive, defineModule, directive, type Module } from '@gatewright/api'
import { prepareStatement } from '@gatewright/api/peers'
import { type AuthzDbdConfig, mergeConfig } from './config.ts'
import { groupProvider } from './groups.ts'
import { loginProvider } from './login.ts'
import { labelOf } from './statements.ts'

const authzDbd: Module<AuthzDbdConfig> = defineModule({
  name: 'authz_dbd_module',
  source: 'mod_authz_dbd.c',
  perDirectory: { create: () => ({}), merge: mergeConfig },
  directives: {
    AuthzDBDLoginToReferer: directive.flag({
      scope: 'directory',
      context: ['directory'],
      help: 'Whether to redirect to referer on successful login',
      set: (config: AuthzDbdConfig, on) => {
        config.toReferer = on
      },
    }),
    AuthzDBDQuery: query('SQL query for DBD Authz or login', 'query'),
    AuthzDBDRedirectQuery: query('SQL query to get per-user redirect URL after login', 'redirectQuery'),
  },
  register(host) {
    host.providers.authz.add('dbd-group', groupProvider(host))
    host.providers.authz.add('dbd-login', loginProvider(host, 'login'))
    host.providers.authz.add('dbd-logout', loginProvider(host, 'logout'))
    host.hooks.checkConfig.add(() => {
      const prepare = host.functions.get(prepareStatement)
      for (const { config, section } of host.placedConfigs()) {
        for (const text of [config.query, config.redirectQuery]) {
          if (text !== undefined) prepare?.(section.server, text, labelOf(text))
        }
      }
    })
  },
})

function query(help: string, name: 'query' | 'redirectQuery'): Directive<AuthzDbdConfig, undefined> {
  return directive.take1({
    scope: 'directory',
    context: ['directory'],
    help,
    set: (config: AuthzDbdConfig, text: string, { services }: Command) => {
      if (!services.moduleLoaded('mod_dbd.c')) return 'You must load mod_dbd to enable AuthzDBD functions'
      config[name] = text
      return undefined
    },
  })
}

export default authzDbd
