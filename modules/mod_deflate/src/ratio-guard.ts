import type { Codec } from '@gatewright/filters'

/**
 * Stops inflating if a little input makes too much output: returns a check for each buffer of output.
 * @param limit bytes of output per byte of input
 * @param burst number of consecutive buffers that may exceed the limit
 * @param complain creates the error to throw
 */
export function ratioGuard(limit: number, burst: number, complain: (text: string) => Error): (codec: Codec) => void {
  let hits = 0
  return (codec) => {
    if (codec.bytesRead === 0) return
    if (codec.bytesOut / codec.bytesRead < limit) {
      hits = 0
      return
    }
    hits++
    if (hits <= burst) return
    const text = `Inflated content ratio is larger than the configured limit ${limit} by ${burst} time(s)`
    throw complain(text)
  }
}
