import type { Request } from '@gatewright/api'
import type { AcceptItem } from './accept-list.ts'

/** What is known of one form of a resource before a client comes into play. */
export interface VariantFacts {
  /** Relative to the folder of the resource. */
  readonly fileName: string
  readonly type: AcceptItem | null
  readonly languages: readonly string[]
  readonly encoding: string | null
  readonly description: string
  /** Content of a type map itself; null when the variant is a file. */
  readonly body: string | null
  /** The sub-request that found it; null for one of a type map. */
  readonly found: Request | null
  /** Bytes; null when it has to be asked for. */
  readonly length: number | null
}

/** How well a match of a media type is: none, any type, any of its kind, or itself. */
export type TypeMatch = 'none' | 'any' | 'kind' | 'exact'

/** A form of a resource, and how well it suits the client. */
export class Variant {
  readonly fileName: string
  /** '' when nothing is known. */
  readonly mimeType: string
  readonly charset: string
  readonly level: number
  /** The server's own judgement, `qs`. */
  readonly sourceQuality: number
  readonly languages: readonly string[]
  readonly encoding: string | null
  readonly description: string
  readonly body: string | null
  readonly found: Request | null
  /** -1 when it cannot be known. */
  length: number | null

  typeMatch: TypeMatch = 'none'
  levelMatched = 0
  /** False as soon as the client did not name the variant's own properties, but wildcards or nothing. */
  definite = true
  typeQuality = 1
  languageQuality = 1
  charsetQuality = 1
  encodingQuality = 1
  /** Place in LanguagePriority, -1 for none. */
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

/** Codings that change nothing. */
export function isIdentity(encoding: string | null): boolean {
  return encoding === null || encoding === '' || encoding === '7bit' || encoding === '8bit' || encoding === 'binary'
}
