/** Whether a status is that of a final response: after a 1xx the client would wait for another one. */
export function isFinalStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599
}
