import { DECLINED, defineModule, directive, HTTP_FORBIDDEN, type Module, OK, type Request } from '@gatewright/api'

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
  register({ hooks, configOf, log }) {
    const shown = (request: Request): string | undefined => request.headersIn.get(configOf(request).header ?? 'X-Badge')
    hooks.authChecker.add((request) => {
      const lines = request.requires() ?? []
      const ours = lines.filter((line) => line.methodMask.has(request.methodNumber) && /^badge\s/.test(line.requirement))
      if (ours.length === 0) return DECLINED
      const wanted = ours.flatMap((line) => line.requirement.split(/\s+/).slice(1))
      if (wanted.includes(shown(request) ?? '')) return OK
      log.write(request, 'error', '', 'no badge that is asked for')
      return HTTP_FORBIDDEN
    })
  },
})

export default badge
