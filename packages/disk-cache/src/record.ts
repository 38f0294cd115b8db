import { createHash } from 'node:crypto'
import type { StoredHead } from '@gatewright/api'

/**
 * The key of a variant: that of the URL with the fields of the request that choose it.
 * @param fields of the request
 */
export function variantKey(
  { key, names, generation }: Extract<StoredRecord, { kind: 'vary' }>,
  fields: StoredHead['requestFields'],
): string {
  const values = new Map(fields.map(([name, value]) => [name.toLowerCase(), value]))
  return JSON.stringify([key, generation, ...names.map((name) => [name, values.get(name) ?? null])])
}

/** The names in the Vary fields of a response, in lower case and in one order. */
export function varyNames({ fields }: StoredHead): string[] {
  const names = fields
    .filter(([name]) => name.toLowerCase() === 'vary')
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim().toLowerCase())
  return [...new Set(names)].filter((name) => name !== '').sort()
}

/** The key that mod_cache asks for to find a record: its own, or that of which it is a variant. @throws SyntaxError for what is no key */
export function commonKeyOf(key: string): string {
  if (!key.startsWith('[')) return key
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) && typeof parts[0] === 'string' ? parts[0] : key
}

/** The URL in a key of mod_cache: the text after the line that names the virtual host. */
export function urlOf(key: string): string {
  return key.slice(key.indexOf('\n') + 1)
}

/** What the file of a key holds: a response, or the names of the fields that choose one of its variants. */
export type StoredRecord =
  | {
      readonly kind: 'vary'
      readonly key: string
      readonly names: readonly string[]
      /** A part of the keys of the variants: those of a former list are never found. */
      readonly generation: string
    }
  | {
      readonly kind: 'response'
      readonly key: string
      /** Null after a request like POST: the head is forgotten. */
      readonly head: StoredHead | null
      readonly body: { readonly name: string; readonly size: number } | null
    }

const FORMAT = 'gatewright-cache 1'

/** The longest file of a head, in bytes: a longer response is not stored. */
export const MAX_RECORD: number = 256 * 1024

/** The file: a line with the format and a digest of the rest, then the record as JSON. */
export function encodeRecord(record: StoredRecord): Buffer {
  const text = JSON.stringify(record)
  return Buffer.from(`${FORMAT} ${digestOf(text)}\n${text}\n`, 'utf8')
}

/** The record in a file; null if the file is damaged, or of another format. */
export function decodeRecord(bytes: Buffer): StoredRecord | null {
  const [line, text] = bytes.toString('utf8').split('\n')
  if (text === undefined || line !== `${FORMAT} ${digestOf(text)}`) return null
  return recordIn(JSON.parse(text))
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function recordIn(data: unknown): StoredRecord | null {
  if (!isObject(data) || typeof data.key !== 'string') return null
  const { key, kind, names, generation, head, body } = data
  if (kind === 'vary') return isTexts(names) && typeof generation === 'string' ? { kind, key, names, generation } : null
  if (kind !== 'response') return null
  if (body !== null && !isBody(body)) return null
  if (head === null) return { kind, key, head, body: null }
  return isHead(head) ? { kind, key, head, body } : null
}

function isHead(data: unknown): data is StoredHead {
  if (!isObject(data)) return false
  const { status, date, expires, requestTime, responseTime, headerOnly, fields, requestFields } = data
  return (
    [status, date, expires, requestTime, responseTime].every((one) => typeof one === 'number') &&
    typeof headerOnly === 'boolean' &&
    isFields(fields) &&
    isFields(requestFields)
  )
}

function isFields(data: unknown): boolean {
  return Array.isArray(data) && data.every((item: unknown) => isTexts(item) && item.length === 2)
}

function isTexts(data: unknown): data is string[] {
  return Array.isArray(data) && data.every((item: unknown) => typeof item === 'string')
}

function isBody(data: unknown): data is { name: string; size: number } {
  return (
    isObject(data) &&
    typeof data.name === 'string' &&
    /^[\w@]+\.[0-9a-f]{12}\.data$/.test(data.name) &&
    typeof data.size === 'number'
  )
}

function isObject(data: unknown): data is { readonly [name: string]: unknown } {
  return typeof data === 'object' && data !== null
}
