/**
 * Where the names of an expression come from: variables, functions and operators that need a request. Asked once per name while
 * an expression is parsed. `R` is whatever `evaluate` gets; this package never looks into it. All texts are latin1 strings
 * (one character per byte); a value that does not exist is the empty string.
 *
 * Built in and not asked for: the functions tolower, toupper, escape, unescape, base64, unbase64, md5, sha1, ldap and the
 * operators -n, -z, -T, -strmatch, -strcmatch, -fnmatch.
 */
export interface ExprLookup<R> {
  /** `%{NAME}`; the name comes in upper case. */
  variable(name: string): ((request: R) => string) | undefined
  /** `name(word)` and `%{name:text}`; the name comes in lower case. */
  stringFunction(name: string): StringFunction<R> | undefined
  /** The right side of `in name(word)`; the name comes in lower case. */
  listFunction(name: string): ((request: R, argument: string) => readonly string[]) | undefined
  /** `-d word`; the letter comes as written and without hyphen. */
  unaryOperator(letter: string): UnaryOperator<R> | undefined
  /** `word -ipmatch word`; the name comes in lower case and without hyphen. */
  binaryOperator(name: string): BinaryOperator<R> | undefined
}

export interface StringFunction<R> {
  /** May throw ExprRuntimeError. */
  call(request: R, argument: string): string
  /** Refused in .htaccess files: `file not available in restricted context`. */
  readonly restricted?: boolean
  /** Called once at parse time when the argument is constant; what it returns is called instead of `call`. */
  prepare?(constant: string): ((request: R) => string) | undefined
}

/**
 * What `prepare` of an operator may say: nothing (`test` is used), an error text that makes the expression invalid, or a
 * test that has the constant built in.
 */
export type Prepared<T> = T | string | undefined

export interface UnaryOperator<R> {
  test(request: R, argument: string): boolean
  /** Called once at parse time. `constant` is the argument when it is a plain literal, undefined otherwise. */
  prepare?(constant: string | undefined): Prepared<(request: R) => boolean>
}

export interface BinaryOperator<R> {
  test(request: R, left: string, right: string): boolean
  /** Called once at parse time. `constant` is the right side when it is a plain literal, undefined otherwise. */
  prepare?(constant: string | undefined): Prepared<(request: R, left: string) => boolean>
}
