import { type AnyModule, defineModule, httpStatus, OK } from '@gatewright/api'

/**
 * An authentication module that trusts the field X-User, for tests of what happens after a login. Without the
 * field it answers 401.
 */
export const headerLogin: AnyModule = defineModule({
  name: 'header_login_module',
  source: 'mod_header_login.c',
  register({ hooks }) {
    hooks.checkUserId.add((request) => {
      const user = request.headersIn.get('X-User')
      if (user === undefined) return httpStatus(401)
      request.user = user
      return OK
    })
  },
})
