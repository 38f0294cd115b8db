/** How the end of a body is marked. */
export type BodyFraming =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' }
  /** The response to HEAD whose length is unknown because its body is not generated. */
  | { readonly kind: 'untold' }
  | { readonly kind: 'none' }
