import type { FileInfo } from '@gatewright/api'
import { fileEtag, joinEtags } from './etag.ts'
import { ETAG_MTIME, type EtagBits, effectiveEtag } from './etag-bits.ts'

/**
 * The ETag of a type map or folder that lists variants, according to FileETag. For a folder, only the modification
 * time identifies the version.
 */
export function listEtag(from: FileInfo, setting: EtagBits, requestTimeMs: number): string | null {
  const bits = effectiveEtag(setting)
  return fileEtag(from, from.kind === 'directory' && bits !== 0 ? ETAG_MTIME : bits, requestTimeMs)
}

/** The ETag of two lists; null if neither has one. */
export function joinLists(list: string | null, earlier: string | null): string | null {
  if (list === null || earlier === null) return list ?? earlier
  return joinEtags(list, earlier)
}
