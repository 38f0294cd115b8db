import { osError, osErrorText } from '@gatewright/log'

/** `(2)No such file or directory: `, or nothing for an error that is none of the system's. */
export function systemReason(error: unknown): string {
  const cause = osError(error)
  return cause === undefined ? '' : `${osErrorText(cause)}: `
}
