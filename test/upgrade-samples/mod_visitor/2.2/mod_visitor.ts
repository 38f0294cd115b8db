import { DECLINED, defineModule, HTTP_FORBIDDEN, type Module, OK } from '@gatewright/api'

/** Shows visitors their address, and denies port numbers below 1024. */
const visitor: Module = defineModule({
  name: 'visitor_module',
  source: 'mod_visitor.c',
  register({ hooks, services, log }) {
    hooks.accessChecker.add(
      (request) => (request.connection.remoteAddr.port < 1024 ? HTTP_FORBIDDEN : OK),
      null,
      ['mod_authz_host.c'],
      'first', // before anybody looks a name up
    )
    hooks.handler.add((request) => {
      if (request.handler !== 'visitor') return DECLINED
      if (request.server.loglevel === 'debug') log.write(request, 'debug', '', 'a visitor came')
      const address = request.connection.remoteIp // as the access log has it
      const secret = request.someAuthRequired() ? 'yes' : 'no'
      request.headersOut.set('X-Told-By', services.serverVersion())
      return request.send(request.defaultType(), `you are ${address}, members only: ${secret}\n`)
    })
  },
})

export default visitor
