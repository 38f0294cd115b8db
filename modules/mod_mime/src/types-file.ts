import { readFileSync } from 'node:fs'
import { type MediaType, parseMediaType } from './media-type.ts'

/** Media types by extension (in lower case), or the error of reading the file. */
export type LoadedTypes = { readonly types: ReadonlyMap<string, MediaType> } | { readonly path: string; readonly error: Error }

/** Reads the types file once per configuration; a missing file stops the start. */
export function loadTypesFile(path: string): LoadedTypes {
  try {
    return { types: parseTypes(readFileSync(path, 'latin1')) }
  } catch (error) {
    if (error instanceof Error) return { path, error }
    throw error
  }
}

/**
 * Parses lines `type extension ...`; empty lines and lines that begin with `#` are ignored. Later lines take
 * precedence.
 */
export function parseTypes(text: string): Map<string, MediaType> {
  const types = new Map<string, MediaType>()
  for (const line of text.split('\n')) {
    const [name, ...extensions] = line.split(/\s+/).filter((word) => word !== '')
    if (name === undefined || name.startsWith('#') || extensions.length === 0) continue
    const type = parseMediaType(name)
    for (const extension of extensions) types.set(extension.toLowerCase(), type)
  }
  return types
}
