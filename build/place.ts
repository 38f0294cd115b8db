import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Writes a file as a whole, and only when it changed: a running server never sees half a file. */
export function place(file: string, content: string | Uint8Array): void {
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}
