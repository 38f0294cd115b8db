import { DECLINED, defineModule, type Module, OK, type Outcome, type Request } from '@gatewright/api'
import {
  createUsertrackConfig,
  DEFAULT_NAME,
  mergeUsertrackConfig,
  type UsertrackConfig,
  type UsertrackServer,
} from './config.ts'
import { directives } from './directives.ts'
import { cookieText, newValue } from './tracking-cookie.ts'

/** Gives clients a cookie by which their requests are recognized in logs. */
const usertrack: Module<UsertrackConfig, UsertrackServer> = defineModule({
  name: 'usertrack_module',
  source: 'mod_usertrack.c',
  perDirectory: { create: createUsertrackConfig, merge: mergeUsertrackConfig },
  perServer: { create: () => ({}), merge: (base, over) => ({ lifetime: over.lifetime ?? base.lifetime }) },
  directives,
  register({ hooks, configOf, serverConfigOf }) {
    const track = (request: Request): Outcome => {
      const config = configOf(request)
      if (config.enabled !== true || request.main !== null) return DECLINED
      const found = knownValue(request, config)
      if (found !== undefined) {
        request.notes.set('cookie', found)
        return DECLINED
      }
      const value = newValue(request.receivedAt)
      const field = config.style === 'cookie2' ? 'Set-Cookie2' : 'Set-Cookie'
      const lifetime = serverConfigOf(request.server).lifetime ?? 0
      request.errHeadersOut.add(field, cookieText(config, value, lifetime, request.receivedAt))
      request.notes.set('cookie', value)
      return OK
    }
    hooks.fixups.add(track, { rank: 'really-first' })
  },
})
export default usertrack

function knownValue({ headersIn }: Request, { name = DEFAULT_NAME }: Readonly<UsertrackConfig>): string | undefined {
  const cookies = headersIn.get('Cookie')
  if (cookies === undefined) return undefined
  const match = name.finder.exec(cookies)
  return match?.[1] ?? match?.[2]
}
