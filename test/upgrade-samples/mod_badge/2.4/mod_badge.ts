import { defineModule, directive, listedWords, type Module, type Request } from '@gatewright/api'

interface BadgeConfig {
  header?: string
}

/** `Require badge NAME...`: the field that BadgeHeader names shows one of the badges. */
const badge: Module<BadgeConfig> = defineModule({
  name: 'badge_module',
  source: 'mod_badge.c',
  perDirectory: {
    create: () => ({}),
    merge: (base, over) => ({ header: over.header ?? base.header }),
  },
  directives: {
    BadgeHeader: directive.take1({
      scope: 'directory',
      context: ['directory', 'htaccess'],
      override: 'AuthConfig',
      help: 'name of the header field that shows a badge',
      set: (config, name) => {
        config.header = name
      },
    }),
  },
  register({ providers, configOf, log }) {
    const shown = (request: Request): string | undefined => request.headersIn.get(configOf(request).header ?? 'X-Badge')
    providers.authz.add('badge', {
      // Runs once for each line, when the configuration is read, and reports an empty line.
      parse(argument, command) {
        const wanted = listedWords(argument, command)
        if (wanted.length === 0) return "'Require badge' needs the name of a badge"
        return (request) => {
          if (wanted.includes(shown(request) ?? '')) return 'granted'
          log.write(request, 'debug', '', 'no badge that is asked for')
          return 'denied'
        }
      },
    })
  },
})

export default badge
