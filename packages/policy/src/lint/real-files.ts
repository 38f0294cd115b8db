import { readdirSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import type { Question } from '../question.ts'

/** Folders, and names in each, that are tried at most. */
const MAX_FOLDERS = 300
const MAX_NAMES = 24

/** A folder of the file system, and a question whose target is its URL. */
export interface AskedFolder {
  /** Without trailing slash. */
  readonly path: string
  readonly question: Question
}

/** The folders that requests were about, by URL. */
export function askedFolders(asked: readonly { readonly question: Question; readonly filename: string }[]): AskedFolder[] {
  const folders = new Map<string, AskedFolder>()
  for (const { question, filename } of asked) {
    const path = question.target.replace(/\?.*/s, '')
    const url = path.slice(0, path.lastIndexOf('/') + 1)
    const key = `${question.host}:${question.localPort} ${url}`
    if (!folders.has(key) && folders.size < MAX_FOLDERS)
      folders.set(key, { path: folderOf(filename), question: { ...question, target: url } })
  }
  return [...folders.values()]
}

/** Questions for a folder itself and for files that are there: one of every kind, and those that hide behind a dot. */
export function questionsForRealFiles({ path, question }: AskedFolder): Question[] {
  return ['', ...oneOfEveryKind(path)].map((name) => questionFor({ path, question }, name))
}

/** A question for a file in a folder. */
export function questionFor({ question }: AskedFolder, name: string): Question {
  return { ...question, target: question.target + encodeURIComponent(name) }
}

function folderOf(filename: string): string {
  return filename.length > 1 && filename.endsWith('/') ? filename.slice(0, -1) : dirname(filename)
}

function oneOfEveryKind(folder: string): string[] {
  const kinds = new Map<string, string>()
  for (const name of namesIn(folder)) {
    const kind = name.startsWith('.') ? name : extname(name)
    if (!kinds.has(kind)) kinds.set(kind, name)
  }
  return [...kinds.values()].slice(0, MAX_NAMES)
}

/** Names of files, in order; none where nobody may look. */
export function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(Buffer.from(folder, 'latin1'), { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort()
  } catch {
    // No folder, or none that this user may look into.
    return []
  }
}
