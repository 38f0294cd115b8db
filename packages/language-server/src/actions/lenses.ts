import type { CodeLens } from 'vscode-languageserver/node'
import type { FileKind } from '../documents/file-kind.ts'
import type { Outline } from '../documents/outline.ts'

/** Sections that decide for requests. */
const ASKED = /^(?:virtualhost|(?:directory|location|files)(?:match)?)$/i
const MOST = 500

/** "Who can get here?" above each section, and above a .htaccess file. @param command that an editor runs */
export function lenses({ blocks }: Outline, uri: string, kind: FileKind, command: string): CodeLens[] {
  const lines = blocks.filter(({ name }) => ASKED.test(name)).map(({ start }) => start)
  const title = 'Who can get here?'
  const lens = (line: number, asked: number): CodeLens => ({
    range: { start: { line, character: 0 }, end: { line, character: 0 } },
    command: { title, command, arguments: [uri, asked] },
  })
  return [...(kind === 'htaccess' ? [lens(0, 0)] : []), ...lines.slice(0, MOST).map((line) => lens(line, line + 1))]
}
