const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Generates the IDs that connect lines of the error log and of the access log: 64 bits of time, process and a
 * counter, as 11 characters of base64.
 */
export class LogIds {
  #count = 0

  /** @param time milliseconds since 1970 */
  next(time: number): string {
    const microseconds = Math.floor(time * 1000) % 0x1_0000_0000
    const { pid } = process
    this.#count = (this.#count + 1) & 0xffff
    return (
      fourDigits(Math.floor(microseconds / 0x100)) +
      fourDigits((microseconds % 0x100) * 0x1_0000 + (pid & 0xffff)) +
      threeDigits(this.#count)
    )
  }
}

/** 24 bits. */
function fourDigits(bits: number): string {
  return DIGITS[bits >> 18] + DIGITS[(bits >> 12) & 63] + DIGITS[(bits >> 6) & 63] + DIGITS[bits & 63]
}

/** 16 bits. */
function threeDigits(bits: number): string {
  return DIGITS[bits >> 10] + DIGITS[(bits >> 4) & 63] + DIGITS[(bits << 2) & 63]
}
