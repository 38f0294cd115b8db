import { type Dirent, readdirSync } from 'node:fs'
import { fsPath } from '../base/file-info.ts'
import { isRunHere, PROGRAM_KINDS, type ProgramKind, programKindOfFile } from '../model/program-kinds.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { servedFolders } from './htaccess-check.ts'

/** A start must not take long, whatever is below a document root; lint reads more. */
const MOST_ENTRIES = 5_000
const MOST_DEPTH = 2

/** A line or file for programs of a kind that no loaded module executes: the server would send their text. */
export interface ProgramSource {
  /** The file; for a line, the configuration file. */
  readonly file: string
  /** 0 for a program itself. */
  readonly line: number
  /** The line as written, or the path of a program. */
  readonly subject: string
  readonly text: string
}

/** The first line and the first file of each kind of program that no loaded module runs. */
export function programSources(configuration: ServerConfiguration): ProgramSource[] {
  const modules = configuration.registry.modules.map(({ module }) => module.name)
  const unrun = PROGRAM_KINDS.filter((kind) => !isRunHere(kind, modules))
  return [...lines(configuration, unrun), ...files(configuration, unrun)]
}

/** The same as hints for an operator. */
export function programSourceHints(configuration: ServerConfiguration): string[] {
  return programSources(configuration).map(({ file, line, subject, text }) =>
    line === 0 ? `${subject}: ${text}` : `${file}:${line}: ${subject}: ${text}`,
  )
}

function lines({ programLines }: ServerConfiguration, unrun: readonly ProgramKind[]): ProgramSource[] {
  return unrun.flatMap((kind) => {
    const [first, ...others] = programLines.filter((line) => line.kind === kind)
    if (first === undefined) return []
    const more = others.length === 0 ? '' : `, and ${others.length} more such ${others.length === 1 ? 'line' : 'lines'}`
    return [{ file: first.file, line: first.line, subject: `${first.text}${more}`, text: consequence(kind) }]
  })
}

function files(configuration: ServerConfiguration, unrun: readonly ProgramKind[]): ProgramSource[] {
  const examples = new Map<ProgramKind, string>()
  for (const folder of servedFolders(configuration)) lookThrough(folder, unrun, examples)
  return [...examples].map(([kind, file]) => ({ file, line: 0, subject: file, text: consequence(kind) }))
}

function consequence({ name, runners }: ProgramKind): string {
  return `no module that runs programs of this kind (${name}) is loaded (${runners.join(', ')}): their text is sent to every client that may fetch them`
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
    // Not a folder, or not readable: the server cannot send its files.
    return []
  }
}
