/**
 * The source of an expression's names: variables, functions and operators that need a request. It is queried
 * once per name while an expression is parsed. `R` is the type passed to `evaluate`; this package never
 * inspects it. All texts are latin1 strings (one character per byte); a missing value is the empty string.
 *
 * The following are built in and never looked up: the functions tolower, toupper, escape, unescape, base64,
 * unbase64, md5, sha1, ldap and the operators -n, -z, -T, -strmatch, -strcmatch, -fnmatch.
 */
export interface ExprLookup<R> {
  /** `%{NAME}`; the name is in upper case. */
  variable(name: string): ((request: R) => string) | undefined
  /** `name(word)` and `%{name:text}`; the name is in lower case. */
  stringFunction(name: string): StringFunction<R> | undefined
  /** The right side of `in name(word)`; the name is in lower case. */
  listFunction(name: string): ((request: R, argument: string) => readonly string[]) | undefined
  /** `-d word`; the letter keeps its case and does not include the hyphen. */
  unaryOperator(letter: string): UnaryOperator<R> | undefined
  /** `word -ipmatch word`; the name is in lower case and does not include the hyphen. */
  binaryOperator(name: string): BinaryOperator<R> | undefined
}

export interface StringFunction<R> {
  /** May throw ExprRuntimeError. */
  call(request: R, argument: string): string
  /** Rejected in .htaccess files: `file not available in restricted context`. */
  readonly restricted?: boolean
  /**
   * Called once at parse time if the argument is constant; the returned function is called instead of `call`.
   */
  prepare?(constant: string): ((request: R) => string) | undefined
}

/**
 * The result of an operator's `prepare`: nothing (`test` is used), an error text that makes the expression
 * invalid, or a test that includes the constant.
 */
export type Prepared<T> = T | string | undefined

export interface UnaryOperator<R> {
  test(request: R, argument: string): boolean
  /** Rejected in pages: `-e not available in restricted context`. */
  readonly restricted?: boolean
  /** Called once at parse time. `constant` is the argument if it is a plain literal, otherwise undefined. */
  prepare?(constant: string | undefined): Prepared<(request: R) => boolean>
}

export interface BinaryOperator<R> {
  test(request: R, left: string, right: string): boolean
  /**
   * Called once at parse time. `constant` is the right side if it is a plain literal, otherwise undefined.
   */
  prepare?(constant: string | undefined): Prepared<(request: R, left: string) => boolean>
}
