import type { Request } from '@gatewright/api'
import type { AcceptItem } from './accept-list.ts'

/** Properties of a variant that do not depend on the client. */
export interface VariantFacts {
  /** Relative to the folder of the resource. */
  readonly fileName: string
  readonly type: AcceptItem | null
  readonly languages: readonly string[]
  readonly encoding: string | null
  readonly description: string
  /** Content in the type map itself; null if the variant is a file. */
  readonly body: string | null
  /** The sub-request that found it; null for a variant of a type map. */
  readonly found: Request | null
  /** In bytes; null if not known yet. */
  readonly length: number | null
}

/** How specific a match of a media type is: none, any type, any subtype, or the exact type. */
export type TypeMatch = 'none' | 'any' | 'kind' | 'exact'

/** A variant of a resource, and its qualities for a client. */
export class Variant {
  readonly fileName: string
  /** '' if unknown. */
  readonly mimeType: string
  readonly charset: string
  readonly level: number
  /** The quality that the server assigns, `qs`. */
  readonly sourceQuality: number
  readonly languages: readonly string[]
  readonly encoding: string | null
  readonly description: string
  readonly body: string | null
  readonly found: Request | null
  /** -1 if it cannot be determined. */
  length: number | null

  typeMatch: TypeMatch = 'none'
  levelMatched = 0
  /** False if the client lists a property of the variant only by a wildcard, or not at all. */
  definite = true
  typeQuality = 1
  languageQuality = 1
  charsetQuality = 1
  encodingQuality = 1
  /** Index in LanguagePriority, or -1. */
  languageIndex = -1

  constructor({ fileName, type, languages, encoding, description, body, found, length }: VariantFacts) {
    this.fileName = fileName
    this.mimeType = type?.name ?? ''
    this.charset = type?.charset ?? ''
    this.level = type?.level ?? 0
    this.sourceQuality = type?.quality ?? 0
    this.languages = languages
    this.encoding = encoding
    this.description = description
    this.body = body
    this.found = found
    this.length = length
  }
}

/** Whether a coding leaves the content unchanged. */
export function isIdentity(encoding: string | null): boolean {
  return encoding === null || encoding === '' || encoding === '7bit' || encoding === '8bit' || encoding === 'binary'
}
