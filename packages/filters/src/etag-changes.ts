import type { EtagChange } from './new-representation.ts'

/** The words of DeflateAlterETag and BrotliAlterETag, in lower case. */
export const ETAG_CHANGES: Readonly<Record<string, EtagChange>> = {
  addsuffix: 'add-suffix',
  nochange: 'no-change',
  remove: 'remove',
}
