import {
  type Connection,
  type Location,
  type Range,
  ResponseError,
  type TextDocuments,
  type TextEdit,
} from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { includeLines } from '../definition/include-lines.ts'
import { isSameName, namesIn, type Occurrence, wrongName } from '../definition/names.ts'
import { fromBytes } from './byte-texts.ts'
import { lineText } from './logical-line.ts'
import { type OpenDocuments, pathOf, uriOf } from './open-documents.ts'
import type { Sites } from './sites.ts'

/** What references and new names are found with. */
export interface ReferencesOptions {
  readonly connection: Connection
  readonly documents: TextDocuments<TextDocument>
  readonly open: OpenDocuments
  readonly sites: Sites
}

/** The protocol's code for a request that cannot be fulfilled. */
const REQUEST_FAILED = -32803

interface FoundName {
  readonly path: string
  readonly occurrence: Occurrence
}

/** Answers where a variable, a macro, a provider alias or an included file is used, and renames them. */
export function answerReferences({ connection, documents, open, sites }: ReferencesOptions): void {
  const at = (uri: string, position: Range['start']): { path: string; name: Occurrence | undefined; text: string } | null => {
    const document = documents.get(uri)
    const path = document === undefined ? null : pathOf(uri)
    if (document === undefined || path === null) return null
    const { line, character } = position
    const name = namesIn(document.getText()).find((one) => one.line === line && one.start <= character && character <= one.end)
    return { path, name, text: lineText(document, line) }
  }
  const everywhere = (path: string, name: Occurrence): FoundName[] =>
    sites.filesOf(path).flatMap((file) => {
      const text = open.textAt(file)
      const names = text === null ? [] : namesIn(text).filter((one) => isSameName(one, name))
      return names.map((occurrence) => ({ path: file, occurrence }))
    })
  connection.onReferences(({ textDocument, position, context }): Location[] => {
    const asked = at(textDocument.uri, position)
    if (asked === null) return []
    const { path, name, text } = asked
    if (name === undefined) {
      const checked = sites.checkedOf(path)
      const serverRoot = checked === null ? '/' : fromBytes(checked.serverRoot)
      const files = sites.filesOf(path).flatMap((file) => {
        const outline = open.outlineAt(file)
        return outline === null ? [] : [{ path: file, outline }]
      })
      const lines = includeLines({ text, character: position.character, serverRoot, defines: checked?.defines ?? {}, files })
      return lines.map(({ path: file, line }) => ({ uri: uriOf(file), range: rangeOf({ line, start: 0, end: 0 }) }))
    }
    return everywhere(path, name)
      .filter(({ occurrence }) => context.includeDeclaration || !occurrence.defines)
      .map(({ path: file, occurrence }) => ({ uri: uriOf(file), range: rangeOf(occurrence) }))
  })
  connection.onPrepareRename(({ textDocument, position }) => {
    const asked = at(textDocument.uri, position)
    if (asked?.name === undefined) return null
    const { path, name } = asked
    // A variable of the environment, or a provider of a module, has its name elsewhere.
    if (!everywhere(path, name).some(({ occurrence }) => occurrence.defines)) return null
    return { range: rangeOf(name), placeholder: name.name }
  })
  connection.onRenameRequest(({ textDocument, position, newName }) => {
    const asked = at(textDocument.uri, position)
    if (asked?.name === undefined) return null
    const { path, name } = asked
    const found = everywhere(path, name)
    if (!found.some(({ occurrence }) => occurrence.defines))
      throw new ResponseError(REQUEST_FAILED, `${name.name} is not defined in the files of this configuration`)
    const wrong = wrongName(name, newName)
    if (wrong !== null) throw new ResponseError(REQUEST_FAILED, wrong)
    const other = { ...name, name: newName }
    if (!isSameName(name, other) && everywhere(path, other).length > 0)
      throw new ResponseError(REQUEST_FAILED, `${newName} is already a name in this configuration`)
    const changes: Record<string, TextEdit[]> = {}
    for (const { path: file, occurrence } of found) {
      const edits = changes[uriOf(file)] ?? []
      edits.push({ range: rangeOf(occurrence), newText: newName })
      changes[uriOf(file)] = edits
    }
    return { changes }
  })
}

function rangeOf({ line, start, end }: { readonly line: number; readonly start: number; readonly end: number }): Range {
  return { start: { line, character: start }, end: { line, character: end } }
}
