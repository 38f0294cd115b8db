import type { ReadTimeLimit } from '@gatewright/api/peers'

/** The configured stages. An `initial` of 0 means no limit. */
export interface ReqtimeoutConfig {
  handshake?: ReadTimeLimit
  header?: ReadTimeLimit
  body?: ReadTimeLimit
}

export const STANDARD_HEADER: ReadTimeLimit = { initial: 20_000, longest: 40_000, rate: 500 }
export const STANDARD_BODY: ReadTimeLimit = { initial: 20_000, longest: 0, rate: 500 }

export function mergeReqtimeoutConfig(base: Readonly<ReqtimeoutConfig>, over: Readonly<ReqtimeoutConfig>): ReqtimeoutConfig {
  return {
    handshake: over.handshake ?? base.handshake,
    header: over.header ?? base.header,
    body: over.body ?? base.body,
  }
}
