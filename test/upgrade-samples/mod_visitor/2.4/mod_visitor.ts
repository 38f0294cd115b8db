import { authTypeOf, DECLINED, defineModule, HTTP_FORBIDDEN, type Module, OK } from '@gatewright/api'

/** Shows visitors their address, and denies port numbers below 1024. */
const visitor: Module = defineModule({
  name: 'visitor_module',
  source: 'mod_visitor.c',
  register({ hooks, services, functions, log }) {
    hooks.accessChecker.add(
      (request) => (request.useragentPort < 1024 ? HTTP_FORBIDDEN : OK),
      { before: ['mod_authz_host.c'], rank: 'first' }, // before anybody looks a name up
    )
    hooks.handler.add((request) => {
      if (request.handler !== 'visitor') return DECLINED
      if (log.enabled(request, 'debug')) log.write(request, 'debug', '', 'a visitor came')
      const address = request.useragentAddress // as the access log has it
      const secret = functions.get(authTypeOf)?.(request) == null ? 'no' : 'yes'
      request.headersOut.set('X-Told-By', services.serverBanner())
      return request.send('text/plain', `you are ${address}, members only: ${secret}\n`)
    })
  },
})

export default visitor
