import { closeSync, openSync, readSync } from 'node:fs'

/** Number of bytes of a document that are searched for a title. */
const BEGINNING = 8191

/** Reads the title at the beginning of an HTML document; null if there is none or the file cannot be read. */
export function readTitle(path: string): string | null {
  const beginning = readBeginning(path)
  return beginning === null ? null : titleOf(beginning)
}

/** The text after `<title>`, up to the next tag, on one line. */
export function titleOf(document: string): string | null {
  const start = document.toLowerCase().indexOf('<title>')
  if (start < 0) return null
  const text = document.slice(start + '<title>'.length)
  const end = text.indexOf('<')
  return (end < 0 ? text : text.slice(0, end)).replace(/^[\r\n]+/, '').replace(/[\r\n]/g, ' ')
}

function readBeginning(path: string): string | null {
  let descriptor: number
  try {
    descriptor = openSync(Buffer.from(path, 'latin1'), 'r')
  } catch {
    return null
  }
  try {
    const buffer = Buffer.alloc(BEGINNING)
    return buffer.toString('latin1', 0, readSync(descriptor, buffer))
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}
