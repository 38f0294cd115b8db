import { contexts, defineModule, directive, type Module } from '@gatewright/api'

/** Refuses SuexecUserGroup, as httpd does without a suexec program. */
const suexec: Module<undefined, object> = defineModule<undefined, object>({
  name: 'suexec_module',
  source: 'mod_suexec.c',
  perServer: { create: () => ({}) },
  directives: {
    SuexecUserGroup: directive.take2<object>({
      scope: 'server',
      context: contexts.inServers,
      help: 'User and group for spawned processes',
      set: () =>
        'SuexecUserGroup configured, but suEXEC is disabled: this server runs programs as its own user only; remove the line, or run them by PHP-FPM or another FastCGI or WSGI server with a pool of that user',
    }),
  },
})
export default suexec
