/**
 * Kinds of tokens, under the names that httpd prints in its messages ("unexpected T_STR_BEGIN"). Single
 * characters represent themselves and include their quotes.
 */
export type TokenKind =
  | '$end'
  | 'T_ERROR'
  | 'T_TRUE'
  | 'T_FALSE'
  | 'T_DIGIT'
  | 'T_ID'
  | 'T_STRING'
  | 'T_REGEX'
  | 'T_REGEX_I'
  | 'T_REGEX_BACKREF'
  | 'T_OP_UNARY'
  | 'T_OP_BINARY'
  | 'T_STR_BEGIN'
  | 'T_STR_END'
  | 'T_VAR_BEGIN'
  | 'T_VAR_END'
  | 'T_OP_EQ'
  | 'T_OP_NE'
  | 'T_OP_LT'
  | 'T_OP_LE'
  | 'T_OP_GT'
  | 'T_OP_GE'
  | 'T_OP_REG'
  | 'T_OP_NRE'
  | 'T_OP_IN'
  | 'T_OP_STR_EQ'
  | 'T_OP_STR_NE'
  | 'T_OP_STR_LT'
  | 'T_OP_STR_LE'
  | 'T_OP_STR_GT'
  | 'T_OP_STR_GE'
  | 'T_OP_CONCAT'
  | 'T_OP_OR'
  | 'T_OP_AND'
  | 'T_OP_NOT'
  | "'('"
  | "')'"
  | "'{'"
  | "'}'"
  | "','"
  | "':'"

export interface Token {
  readonly kind: TokenKind
  /**
   * The text between delimiters, a name, a number, or the digit of a back reference; for T_ERROR, the
   * message.
   */
  readonly text: string
}
