import { type ConfigDocument, type DocumentItem, parseDocument, printDocument } from '@gatewright/config'
import { isRecord } from './is-record.ts'

/** Files of a configuration as data: what `gatewright config --json` prints. */
export interface ConfigData {
  readonly files: readonly FileData[]
}

export interface FileData extends ConfigDocument {
  readonly path: string
  /** How the strings of the tree represent the file's bytes: one character is one byte of a latin1 file. */
  readonly encoding: 'utf8' | 'latin1'
}

/** @param text the file's bytes, one character each */
export function fileData(path: string, text: string): FileData {
  const decoded = decodeUtf8(text)
  return { path, encoding: decoded === null ? 'latin1' : 'utf8', ...parseDocument(decoded ?? text) }
}

/** The file's bytes, one character each. */
export function fileText({ encoding, items }: FileData): string {
  const text = printDocument({ items })
  return encoding === 'utf8' ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/** Reads JSON in the form of {@link ConfigData}. @returns an error text that names the first deviation */
export function readConfigData(json: string): ConfigData | string {
  let data: unknown
  try {
    data = JSON.parse(json)
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  if (!isRecord(data) || !Array.isArray(data.files)) return 'expected an object with "files"'
  const files: FileData[] = []
  for (const [index, file] of data.files.entries()) {
    const at = `files[${index}]`
    if (!isRecord(file) || typeof file.path !== 'string') return `${at} has no "path"`
    if (file.encoding !== 'utf8' && file.encoding !== 'latin1') return `${at}.encoding is neither "utf8" nor "latin1"`
    const items = readItems(file.items, `${at}.items`)
    if (typeof items === 'string') return items
    files.push({ path: file.path, encoding: file.encoding, items })
  }
  return { files }
}

function readItems(items: unknown, at: string): DocumentItem[] | string {
  if (!Array.isArray(items)) return `${at} is not a list`
  const read: DocumentItem[] = []
  for (const [index, item] of items.entries()) {
    const one = readItem(item, `${at}[${index}]`)
    if (typeof one === 'string') return one
    read.push(one)
  }
  return read
}

function readItem(item: unknown, at: string): DocumentItem | string {
  if (!isRecord(item)) return `${at} is not an object`
  const { kind, raw, name = '', text = '', words = [] } = item
  if (raw !== undefined && typeof raw !== 'string') return `${at}.raw is not a string`
  if (typeof name !== 'string' || typeof text !== 'string') return `${at}: "name" and "text" must be strings`
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return `${at}.words is not a list of strings`
  const placed = raw === undefined ? {} : { raw }
  switch (kind) {
    case 'blank':
      return { kind, ...placed }
    case 'comment':
      return { kind, text, ...placed }
    case 'stray-closing':
      return { kind, name, ...placed }
    case 'directive':
      return name === '' && raw === undefined ? `${at} has no "name"` : { kind, name, text, words, ...placed }
    case 'section': {
      if (name === '' && raw === undefined) return `${at} has no "name"`
      const items = readItems(item.items, `${at}.items`)
      if (typeof items === 'string') return items
      const closing = item.closing ?? null
      if (closing === null) return { kind, name, text, words, items, closing, ...placed }
      if (
        !isRecord(closing) ||
        typeof closing.name !== 'string' ||
        !(closing.raw === undefined || typeof closing.raw === 'string')
      )
        return `${at}.closing has no "name"`
      const end = closing.raw === undefined ? { name: closing.name } : { name: closing.name, raw: closing.raw }
      return { kind, name, text, words, items, closing: end, ...placed }
    }
    default:
      return `${at}.kind must be blank, comment, directive, section or stray-closing`
  }
}

/** null if the bytes are not UTF-8. */
function decodeUtf8(text: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return null
  }
}
