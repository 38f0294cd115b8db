/** A file or folder of an installation. Paths are final ones, without DESTDIR. */
export type Item =
  | { readonly kind: 'folder'; readonly path: string }
  /** `keep` leaves one that is there alone: it is the operator's. */
  | {
      readonly kind: 'file'
      readonly path: string
      readonly mode: 0o644 | 0o755
      readonly content: FileContent
      readonly existing: 'replace' | 'keep'
    }

/** Bytes, or a file that is copied. */
export type FileContent = Uint8Array | { readonly from: string }
