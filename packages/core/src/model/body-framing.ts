/** How a response announces the end of its body. */
export type BodyFraming =
  | { readonly kind: 'length'; readonly length: number }
  /** The exchange marks the end of a body of unknown length. */
  | { readonly kind: 'marked' }
  /** The same, unless the connection closes after the response: then only that marks the end. */
  | { readonly kind: 'markedIfKept' }
  /** Its length is not stated, and the connection closes after it. */
  | { readonly kind: 'close' }
  /** A module has stated Transfer-Encoding: its body is sent as it is, and the connection closes after it. */
  | { readonly kind: 'encoded' }
  /** The response to HEAD whose length is unknown because its body is not generated. */
  | { readonly kind: 'unstated' }
  | { readonly kind: 'none' }
