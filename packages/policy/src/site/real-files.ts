import { readdirSync } from 'node:fs'
import { extname } from 'node:path'
import type { Question } from '../question.ts'

/** Folders, and names in each, that are tried at most. */
const MAX_FOLDERS = 1_000
const MAX_NAMES = 24

/** A folder of the file system, and a question whose target is its URL. */
export interface AskedFolder {
  /** Without a trailing slash. */
  readonly path: string
  readonly question: Question
}

/**
 * The folders of the requests, by URL. A path that was mapped to another name, or to nothing, does not reveal
 * a folder.
 */
export function askedFolders(asked: readonly { readonly question: Question; readonly filename: string }[]): AskedFolder[] {
  const folders = new Map<string, AskedFolder>()
  for (const { question, filename } of asked) {
    const [, url, name] = /^([^?]*\/)([^/?]*)/.exec(question.target) ?? ['', '', '']
    const end = `/${Buffer.from(decodeURIComponent(name), 'utf8').toString('latin1')}`
    const key = `${question.host}:${question.localPort} ${url}`
    if (url === '' || !filename.endsWith(end) || folders.has(key) || folders.size >= MAX_FOLDERS) continue
    folders.set(key, { path: filename.slice(0, -end.length) || '/', question: { ...question, target: url } })
  }
  return [...folders.values()]
}

/**
 * Questions for a folder itself and for existing files: one of every kind, and those whose names begin with a
 * dot.
 */
export function questionsForRealFiles({ path, question }: AskedFolder): Question[] {
  return ['', ...oneOfEveryKind(path)].map((name) => questionFor({ path, question }, name))
}

/** A question for a file in a folder. */
export function questionFor({ question }: AskedFolder, name: string): Question {
  return { ...question, target: question.target + encodeURIComponent(name) }
}

function oneOfEveryKind(folder: string): string[] {
  const kinds = new Map<string, string>()
  for (const name of namesIn(folder)) {
    const kind = name.startsWith('.') ? name : extname(name)
    if (!kinds.has(kind)) kinds.set(kind, name)
  }
  return [...kinds.values()].slice(0, MAX_NAMES)
}

/** Names of files, in order; none without read permission. */
export function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(Buffer.from(folder, 'latin1'), { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort()
  } catch {
    // Not a folder, or not readable by this user.
    return []
  }
}
