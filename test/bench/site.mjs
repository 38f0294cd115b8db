import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeCertificate } from './certificates.mjs'

const MIME_TYPES = join(import.meta.dirname, '../../conf/mime.types')

/** Sizes of the site's files in bytes. */
const FILES = { 'small.html': 1 << 10, '1/2/3/4/5/6/small.html': 1 << 10, '64k.bin': 64 << 10, '10m.bin': 10 << 20 }

/** A folder for all files of a run. Servers started by root run as another user, which needs access. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-bench-'))
  chmodSync(folder, 0o755)
  return folder
}

/** Writes the files that all servers of a scenario serve; returns their folder. */
export function writeDocuments(folder, { files = [], folders = [] }) {
  const docs = join(folder, 'docs')
  for (const [name, size] of Object.entries(FILES)) write(join(docs, name), 'x'.repeat(size))
  for (const { name, content, mode } of files) {
    write(join(docs, name), content)
    if (mode !== undefined) chmodSync(join(docs, name), mode)
  }
  // Servers write into these, as other users.
  for (const name of folders) {
    mkdirSync(join(docs, name), { recursive: true })
    chmodSync(join(docs, name), 0o777)
  }
  return docs
}

/**
 * Makes the folders of one server.
 * @returns {{ root: string, docs: string, port: number, mimeTypes: string }} the paths and the port in its
 *   configuration
 */
export function preparePlace(root, docs, port, { outside = [], tls }) {
  for (const folder of ['conf', 'logs']) mkdirSync(join(root, folder), { recursive: true })
  // Some servers open their logs after they have become another user.
  chmodSync(join(root, 'logs'), 0o777)
  for (const { name, content } of outside) write(join(root, 'conf', name), content)
  if (tls !== undefined) makeCertificate(root, tls.key)
  return { root, docs, port, mimeTypes: MIME_TYPES }
}

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
