/**
 * A set of request methods, as used by `<Limit>`, Require and Order: at most 64 methods, numbered by the host
 * in the order of {@link KNOWN_METHODS} and then of registration. HEAD has GET's number. Immutable.
 */
export class MethodSet {
  /** Every method, including unknown ones. */
  static readonly ALL: MethodSet = new MethodSet(-1, -1)
  /** No method. */
  static readonly NONE: MethodSet = new MethodSet(0, 0)
  private readonly low: number
  private readonly high: number

  /**
   * Use {@link MethodSet.of}.
   *
   * @param low methods 0 to 31, one bit each
   *
   * @param high methods 32 to 63
   */
  constructor(low: number, high: number) {
    this.low = low | 0
    this.high = high | 0
  }

  /** The set of methods with these numbers, 0 to 63. */
  static of(...numbers: number[]): MethodSet {
    let set = MethodSet.NONE
    for (const number of numbers) set = set.with(number)
    return set
  }

  /** This set with one more method. */
  with(number: number): MethodSet {
    return number < 32
      ? new MethodSet(this.low | (1 << number), this.high)
      : new MethodSet(this.low, this.high | (1 << (number - 32)))
  }

  /** Whether the set contains the method with this number. */
  has(number: number): boolean {
    return ((number < 32 ? this.low >>> number : this.high >>> (number - 32)) & 1) === 1
  }

  /** The methods that are in at least one of the two sets. */
  union(other: MethodSet): MethodSet {
    return new MethodSet(this.low | other.low, this.high | other.high)
  }

  /** The methods that are in both sets. */
  intersection(other: MethodSet): MethodSet {
    return new MethodSet(this.low & other.low, this.high & other.high)
  }

  /** The methods that are not in this set. */
  complement(): MethodSet {
    return new MethodSet(~this.low, ~this.high)
  }

  /** Whether both sets contain the same methods. */
  equals(other: MethodSet): boolean {
    return this.low === other.low && this.high === other.high
  }

  /** Whether the set contains every method. */
  get isAll(): boolean {
    return this.low === -1 && this.high === -1
  }

  /** Whether the set contains no method. */
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

/** Number of GET and HEAD. */
export const M_GET = 0
/** Number of PUT. */
export const M_PUT = 1
/** Number of POST. */
export const M_POST = 2
/** Number of DELETE. */
export const M_DELETE = 3
/** Number of CONNECT. */
export const M_CONNECT = 4
/** Number of OPTIONS. */
export const M_OPTIONS = 5
/** Number of TRACE. */
export const M_TRACE = 6
/** Number of a method that the server does not know: only in {@link MethodSet.ALL} and complements. */
export const M_INVALID = 26
