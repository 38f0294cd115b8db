import { defineModule, type Module } from '@gatewright/api'
import { requestReadLimitsOf, requestReadTimedOut } from '@gatewright/api/peers'
import { mergeReqtimeoutConfig, type ReqtimeoutConfig, STANDARD_BODY, STANDARD_HEADER } from './config.ts'
import { directives } from './directives.ts'

const reqtimeout: Module<undefined, ReqtimeoutConfig> = defineModule({
  name: 'reqtimeout_module',
  source: 'mod_reqtimeout.c',
  perServer: { create: () => ({}), merge: mergeReqtimeoutConfig },
  directives,
  register({ functions, serverConfigOf, log }) {
    functions.offer(requestReadLimitsOf, (server) => {
      const { header = STANDARD_HEADER, body = STANDARD_BODY } = serverConfigOf(server)
      return { header: header.initial === 0 ? null : header, body: body.initial === 0 ? null : body }
    })
    functions.offer(requestReadTimedOut, (connection, part) => {
      log.write(connection, 'info', 'AH01382', `Request ${part} read timeout`)
    })
  },
})
export default reqtimeout
