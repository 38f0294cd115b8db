import { httpStatus, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { ServerRecord } from '../model/server-record.ts'
import { hostForName, hostForPath } from '../model/virtual-hosts.ts'
import { whyServer } from '../model/why-server.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { PhaseWork } from './phase.ts'

/** Finds the virtual host of a request by name, and rejects requests that no module needs to see. */
export function chooseServer(log: CoreLog): PhaseWork {
  return (request) => {
    const { hosts } = request.connection
    request.tracer?.step(request, {
      kind: 'server',
      because: whyServer(hosts, request.namesHost ? request.hostname : null, request.uri),
    })
    if (hosts.named.length > 0) {
      const named = request.namesHost ? hostForName(hosts, request.hostname) : hostForPath(hosts, request.uri)
      if (named !== undefined) assign(request, named)
      else if (request.namesHost && request.server.core.strictHostCheck === true) return refuseHost(request, log)
    } else if (
      request.server.core.strictHostCheck === true &&
      request.namesHost &&
      request.hostname !== request.server.serverName.toLowerCase()
    ) {
      return refuseHost(request, log)
    }
    const expect = request.headersIn.get('expect')
    if (expect !== undefined && expect !== '' && request.exchange?.expectContinue === false) {
      log.write(request, 'info', 'AH00570', `client sent an unrecognized expectation value of Expect: ${expect}`)
      return httpStatus(417)
    }
    return OK
  }
}

function refuseHost(request: RequestRecord, log: CoreLog): Outcome {
  const { file, line, isVirtual } = request.server
  const found = `Requested hostname '${request.hostname}' did not match any ServerName/ServerAlias in the`
  if (isVirtual) {
    const text = `${found} matching virtual host (default vhost for current connection is ${file}:${line})`
    log.write(request, 'warn', 'AH10157', text)
  } else log.write(request, 'warn', 'AH10156', `${found} global server configuration `)
  return httpStatus(400)
}

function assign(request: RequestRecord, server: ServerRecord): void {
  request.server = server
  request.config = server.walkBase
  if (request.exchange !== null) request.exchange.bodyLimit = server.connectionSettings.bodyLimit
}
