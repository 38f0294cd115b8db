import type { TunnelBody } from '@gatewright/api'
import type { SuccessorBegin } from '@gatewright/http'

/** The body of a response with status 101 after which the host itself speaks another protocol. */
export class ProtocolSwitch implements TunnelBody {
  readonly opening: string
  readonly begin: SuccessorBegin

  /** @param opening the head of the response */
  constructor(opening: string, begin: SuccessorBegin) {
    this.opening = opening
    this.begin = begin
  }

  /** The responder never passes the connection on. */
  tunnel(): never {
    throw new Error('the connection continues in the host')
  }
}
