/** A file or folder of an installation. Paths are final paths, without DESTDIR. */
export type Item =
  | { readonly kind: 'folder'; readonly path: string }
  /** `keep` leaves an existing one unchanged: it belongs to the operator. */
  | {
      readonly kind: 'file'
      readonly path: string
      readonly mode: 0o644 | 0o755
      readonly content: FileContent
      readonly existing: 'replace' | 'keep'
    }

/** Bytes, or a file to copy. */
export type FileContent = Uint8Array | { readonly from: string }
