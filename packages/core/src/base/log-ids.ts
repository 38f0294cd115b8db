const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * An ID that connects lines of the error log and of the access log: 64 bits of time, process and a counter. Its text is made when a
 * format asks for it, which most do not.
 */
export class LogId {
  readonly #time: number
  readonly #count: number

  /** @param time milliseconds since 1970 */
  constructor(time: number, count: number) {
    this.#time = time
    this.#count = count
  }

  /** 11 characters of base64. */
  get text(): string {
    const microseconds = Math.floor(this.#time * 1000) % 0x1_0000_0000
    return (
      fourDigits(Math.floor(microseconds / 0x100)) +
      fourDigits((microseconds % 0x100) * 0x1_0000 + (process.pid & 0xffff)) +
      threeDigits(this.#count)
    )
  }
}

/** Generates IDs. */
export class LogIds {
  #count = 0

  /** @param time milliseconds since 1970 */
  next(time: number): LogId {
    this.#count = (this.#count + 1) & 0xffff
    return new LogId(time, this.#count)
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
