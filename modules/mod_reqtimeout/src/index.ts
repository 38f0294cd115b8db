import { defineModule, type Module } from '@gatewright/api'
import { handshakeTimedOut, type ReadTimeLimit, requestReadLimitsOf, requestReadTimedOut } from '@gatewright/api/peers'
import { mergeReqtimeoutConfig, type ReqtimeoutConfig, STANDARD_BODY, STANDARD_HEADER } from './config.ts'
import { directives } from './directives.ts'

const reqtimeout: Module<undefined, ReqtimeoutConfig> = defineModule({
  name: 'reqtimeout_module',
  source: 'mod_reqtimeout.c',
  perServer: { create: () => ({}), merge: mergeReqtimeoutConfig },
  directives,
  register({ functions, serverConfigOf, log }) {
    functions.offer(requestReadLimitsOf, (server) => {
      const { handshake = null, header = STANDARD_HEADER, body = STANDARD_BODY } = serverConfigOf(server)
      const limited = (limit: ReadTimeLimit | null): ReadTimeLimit | null => (limit?.initial === 0 ? null : limit)
      return { handshake: limited(handshake), header: limited(header), body: limited(body) }
    })
    functions.offer(handshakeTimedOut, (connection) => {
      log.write(connection, 'info', 'AH01382', 'Request handshake read timeout')
    })
    functions.offer(requestReadTimedOut, (connection, part) => {
      log.write(connection, 'info', 'AH01382', `Request ${part} read timeout`)
    })
  },
})
export default reqtimeout
