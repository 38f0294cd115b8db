/** Whether a status reports success: a client got what it asked for. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Whether a status is that of a final response: after a 1xx the client would wait for another one. */
export function isFinalStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599
}
