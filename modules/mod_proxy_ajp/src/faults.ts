import type { OsError } from '@gatewright/api'

/** The numbers of mod_proxy_ajp in its log; the system has no text for them. */
const fault = (code: number): OsError => ({ code, text: 'APR does not understand this error code' })

/** A packet is shorter than its content, or longer than a packet may be. */
export const OVERFLOW: OsError = fault(120_001)
/** A packet has not arrived. */
export const NO_HEADER: OsError = fault(120_006)
/** A packet is none of AJP, or does not have the content of its type. */
export const BAD_HEADER: OsError = fault(120_007)
/** A packet has not arrived completely. */
export const BAD_MESSAGE: OsError = fault(120_008)

export const TIMED_OUT: OsError = { code: 70_007, text: 'The timeout specified has expired' }
export const END_OF_FILE: OsError = { code: 70_014, text: 'End of file found' }
export const INCOMPLETE: OsError = { code: 70_008, text: 'Partial results are valid but processing is incomplete' }
export const UNSPECIFIC: OsError = { code: 20_014, text: 'Internal error (specific information not available)' }

/** A line of the log about what is wrong with a packet. */
export interface FaultLine {
  readonly code: string
  readonly text: string
  /** Whether the line names the client; the lines about bytes do not. */
  readonly isOfRequest: boolean
  readonly cause?: OsError | Error
}

/** A packet that cannot be made or read, or has not arrived. */
export class PacketFault extends Error {
  readonly lines: readonly FaultLine[]
  /** The error that the lines about the request name. */
  override readonly cause: OsError | Error | undefined

  constructor(lines: readonly FaultLine[], cause?: OsError | Error) {
    super(lines.map(({ text }) => text).join('; '))
    this.lines = lines
    this.cause = cause
  }
}
