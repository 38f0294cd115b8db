/**
 * A set of request methods, as used by `<Limit>`, Require and Order: at most 64 methods, numbered by the host
 * in the order of {@link KNOWN_METHODS} and then of registration. HEAD has GET's number. Immutable.
 */
export class MethodSet {
  static readonly ALL: MethodSet = new MethodSet(-1, -1)
  static readonly NONE: MethodSet = new MethodSet(0, 0)
  private readonly low: number
  private readonly high: number

  constructor(low: number, high: number) {
    this.low = low | 0
    this.high = high | 0
  }

  static of(...numbers: number[]): MethodSet {
    let set = MethodSet.NONE
    for (const number of numbers) set = set.with(number)
    return set
  }

  with(number: number): MethodSet {
    return number < 32
      ? new MethodSet(this.low | (1 << number), this.high)
      : new MethodSet(this.low, this.high | (1 << (number - 32)))
  }

  has(number: number): boolean {
    return ((number < 32 ? this.low >>> number : this.high >>> (number - 32)) & 1) === 1
  }

  union(other: MethodSet): MethodSet {
    return new MethodSet(this.low | other.low, this.high | other.high)
  }

  intersection(other: MethodSet): MethodSet {
    return new MethodSet(this.low & other.low, this.high & other.high)
  }

  complement(): MethodSet {
    return new MethodSet(~this.low, ~this.high)
  }

  equals(other: MethodSet): boolean {
    return this.low === other.low && this.high === other.high
  }

  get isAll(): boolean {
    return this.low === -1 && this.high === -1
  }

  get isEmpty(): boolean {
    return this.low === 0 && this.high === 0
  }
}

/** Methods that every server knows, by number. HEAD is GET. The last one represents all unknown methods. */
export const KNOWN_METHODS: readonly string[] = [
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
  'VERSION-CONTROL',
  'CHECKOUT',
  'UNCHECKOUT',
  'CHECKIN',
  'UPDATE',
  'LABEL',
  'REPORT',
  'MKWORKSPACE',
  'MKACTIVITY',
  'BASELINE-CONTROL',
  'MERGE',
]

export const M_GET = 0
export const M_PUT = 1
export const M_POST = 2
export const M_DELETE = 3
export const M_CONNECT = 4
export const M_OPTIONS = 5
export const M_TRACE = 6
/** Number of a method that the server does not know: only in {@link MethodSet.ALL} and complements. */
export const M_INVALID = 26
