/** How the end of a body is marked. */
export type BodyFraming =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' }
  /** The answer to HEAD whose length is not known without making its body. */
  | { readonly kind: 'untold' }
  | { readonly kind: 'none' }
