import { type Dirent, readdirSync } from 'node:fs'
import type { Generation } from '../config/generation.ts'
import { isRunHere, PROGRAM_KINDS, type ProgramKind, programKindOfFile } from '../config/program-kinds.ts'
import { fsPath } from '../request/file-info.ts'
import { servedFolders } from './htaccess-check.ts'

/** A start must not take long, whatever lies below a document root: lint looks further. */
const MOST_ENTRIES = 5_000
const MOST_DEPTH = 2

/** Lines and files of a configuration that are meant for programs which no loaded module runs: their text would be sent. */
export function programSourceHints(generation: Generation): string[] {
  const modules = generation.registry.modules.map(({ module }) => module.name)
  const unrun = PROGRAM_KINDS.filter((kind) => !isRunHere(kind, modules))
  return [...lineHints(generation, unrun), ...fileHints(generation, unrun)]
}

function lineHints({ programLines }: Generation, unrun: readonly ProgramKind[]): string[] {
  return unrun.flatMap((kind) => {
    const lines = programLines.filter((line) => line.kind === kind)
    if (lines.length === 0) return []
    const [{ text, file, line }] = lines
    const more = lines.length === 1 ? '' : ` and ${lines.length - 1} more`
    return [`${file}:${line}: ${text}${more}: ${missing(kind)}, so the text of these programs is sent to whoever may fetch them`]
  })
}

function fileHints(generation: Generation, unrun: readonly ProgramKind[]): string[] {
  const examples = new Map<ProgramKind, string>()
  for (const folder of servedFolders(generation)) lookThrough(folder, unrun, examples)
  return [...examples].map(
    ([kind, file]) =>
      `${file} is a program (${kind.name}): ${missing(kind)}, so the text of such files is sent to whoever may fetch them`,
  )
}

function missing({ runners }: ProgramKind): string {
  return `no module that runs it is loaded (${runners.join(', ')})`
}

/** Adds one file of each kind, breadth first. */
function lookThrough(top: string, unrun: readonly ProgramKind[], examples: Map<ProgramKind, string>): void {
  let left = MOST_ENTRIES
  let folders = [top]
  for (let depth = 0; depth < MOST_DEPTH && folders.length > 0; depth++) {
    const below: string[] = []
    for (const folder of folders) {
      for (const entry of entriesOf(folder)) {
        if (left-- <= 0 || examples.size === unrun.length) return
        const path = `${folder === '/' ? '' : folder}/${entry.name.toString('latin1')}`
        if (entry.isDirectory()) below.push(path)
        const kind = entry.isFile() ? programKindOfFile(entry.name.toString('latin1')) : undefined
        if (kind !== undefined && unrun.includes(kind) && !examples.has(kind)) examples.set(kind, path)
      }
    }
    folders = below
  }
}

function entriesOf(folder: string): Dirent<Buffer>[] {
  try {
    return readdirSync(fsPath(folder), { withFileTypes: true, encoding: 'buffer' }).sort((a, b) => a.name.compare(b.name))
  } catch {
    // No folder, or none that may be looked into: nothing of it is sent.
    return []
  }
}
