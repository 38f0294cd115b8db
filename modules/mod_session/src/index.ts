import { DECLINED, defineModule, type MaybePromise, type Module, OK, type Outcome, type Request } from '@gatewright/api'
import { decodeSession, encodeSession, type Session, sessionOf } from '@gatewright/api/peers'
import { mergeSessionConfig, type SessionConfig } from './config.ts'
import { directives } from './directives.ts'
import { decodeValues, encodeValues } from './encoding.ts'
import { addLintRules } from './lint.ts'
import { Sessions } from './sessions.ts'

const session: Module<SessionConfig> = defineModule<SessionConfig>({
  name: 'session_module',
  source: 'mod_session.c',
  perDirectory: { create: () => ({}), merge: mergeSessionConfig },
  directives,
  register(host) {
    const { hooks, functions, optionalHooks, configOf } = host
    const sessions = new Sessions(host)
    addLintRules(host)
    functions.offer(sessionOf, (request) => sessions.load(request))
    optionalHooks.add(
      encodeSession,
      (_request, session) => {
        encodeValues(session)
        return OK
      },
      { rank: 'really-first' },
    )
    optionalHooks.add(
      decodeSession,
      (_request, session) => {
        decodeValues(session)
        return OK
      },
      { rank: 'really-last' },
    )

    const toEnvironment = (request: Request, session: Session | null): Outcome => {
      if (session === null || configOf(request).env !== true) return DECLINED
      request.env.set('HTTP_SESSION', sessions.encodedForEnvironment(session))
      return OK
    }
    hooks.fixups.add((request): MaybePromise<Outcome> => {
      if (configOf(request).enabled !== true) return DECLINED
      const loaded = sessions.load(request)
      return loaded instanceof Promise ? loaded.then((late) => toEnvironment(request, late)) : toEnvironment(request, loaded)
    })
    // Fields that mod_headers sets come after the session has been saved, as in httpd.
    hooks.fixupHeaders.add((request) => (configOf(request).enabled === true ? sessions.saveLate(request) : undefined), {
      before: ['mod_headers.c'],
    })
  },
})
export default session
