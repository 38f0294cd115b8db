import type { TextDocument } from 'vscode-languageserver-textdocument'

/** What is further left of a position does not matter for what is written there. */
const LONGEST = 8192
const MOST_LINES = 100

/** The text of a line, at most its first 8192 characters. */
export function lineText(document: TextDocument, line: number): string {
  const start = document.offsetAt({ line, character: 0 })
  const end = document.offsetAt({ line: line + 1, character: 0 })
  return document
    .getText({ start: document.positionAt(start), end: document.positionAt(Math.min(end, start + LONGEST)) })
    .replace(/\r?\n$/, '')
}

/** A directive up to a position, with the lines before that a backslash continues. */
export function textBefore(document: TextDocument, line: number, character: number): string {
  let text = lineText(document, line).slice(0, character)
  for (let above = line - 1; above >= 0 && line - above < MOST_LINES; above--) {
    const before = lineText(document, above)
    if (!before.endsWith('\\')) break
    text = `${before.slice(0, -1)} ${text}`
  }
  return text
}
