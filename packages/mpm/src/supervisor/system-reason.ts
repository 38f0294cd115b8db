import { osError, osErrorText } from '@gatewright/log'

/** `(2)No such file or directory: `, or '' for an error that is not a system error. */
export function systemReason(error: unknown): string {
  const cause = osError(error)
  return cause === undefined ? '' : `${osErrorText(cause)}: `
}
