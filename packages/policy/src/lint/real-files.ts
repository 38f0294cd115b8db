import { readdirSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import type { Question } from '../question.ts'

/** Folders, and names in each, that are tried at most. */
const MAX_FOLDERS = 300
const MAX_NAMES = 24

/** Questions for files that are there, in the folders that were asked about: one of every kind, and those that hide behind a dot. */
export function questionsForRealFiles(asked: readonly { readonly question: Question; readonly filename: string }[]): Question[] {
  const folders = new Map<string, { readonly question: Question; readonly folder: string }>()
  for (const { question, filename } of asked) {
    const path = question.target.replace(/\?.*/s, '')
    const url = path.slice(0, path.lastIndexOf('/') + 1)
    const key = `${question.host}:${question.localPort} ${url}`
    if (!folders.has(key) && folders.size < MAX_FOLDERS)
      folders.set(key, { question: { ...question, target: url }, folder: folderOf(filename) })
  }
  return [...folders.values()].flatMap(({ question, folder }) =>
    ['', ...oneOfEveryKind(folder)].map((name) => ({ ...question, target: question.target + encodeURIComponent(name) })),
  )
}

function folderOf(filename: string): string {
  return filename.endsWith('/') ? filename : dirname(filename)
}

function oneOfEveryKind(folder: string): string[] {
  const kinds = new Map<string, string>()
  for (const name of namesIn(folder)) {
    const kind = name.startsWith('.') ? name : extname(name)
    if (!kinds.has(kind)) kinds.set(kind, name)
  }
  return [...kinds.values()].slice(0, MAX_NAMES)
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(Buffer.from(folder, 'latin1'), { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort()
  } catch {
    // No folder, or none that this user may look into.
    return []
  }
}
