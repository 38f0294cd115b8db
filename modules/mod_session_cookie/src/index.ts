import { defineModule, type Module } from '@gatewright/api'
import { loadSession, saveSession } from '@gatewright/api/peers'
import { type CookieConfig, mergeCookieConfig } from './config.ts'
import { directives } from './directives.ts'
import { CookieStore } from './store.ts'

const sessionCookie: Module<CookieConfig> = defineModule<CookieConfig>({
  name: 'session_cookie_module',
  source: 'mod_session_cookie.c',
  perDirectory: { create: () => ({}), merge: mergeCookieConfig },
  directives,
  register(host) {
    const store = new CookieStore(host)
    host.optionalHooks.add(loadSession, (request) => store.load(request))
    host.optionalHooks.add(saveSession, (request, session) => store.save(request, session))
  },
})
export default sessionCookie
