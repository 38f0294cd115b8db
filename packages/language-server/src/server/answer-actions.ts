import {
  type CodeAction,
  type Connection,
  MessageType,
  ShowMessageNotification,
  type TextDocuments,
} from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { changedLines } from '../actions/changed-lines.ts'
import { codeActions, type MigrationData } from '../actions/code-actions.ts'
import { lenses } from '../actions/lenses.ts'
import type { Analyser } from '../analysis.ts'
import { fileKind } from '../documents/file-kind.ts'
import { lineText } from './logical-line.ts'
import { type OpenDocuments, pathOf } from './open-documents.ts'
import type { ClientSettings } from './settings.ts'
import type { Sites } from './sites.ts'

/** What actions are made from. */
export interface ActionsOptions {
  readonly connection: Connection
  readonly documents: TextDocuments<TextDocument>
  readonly open: OpenDocuments
  readonly sites: Sites
  readonly analyser: Analyser
  client(): ClientSettings
}

/** Answers code actions and lenses. */
export function answerActions({ connection, documents, open, sites, client }: ActionsOptions): void {
  connection.onCodeAction(({ textDocument, range, context }) => {
    const document = documents.get(textDocument.uri)
    if (document === undefined) return []
    return codeActions({
      uri: document.uri,
      startLine: range.start.line,
      endLine: range.end.line,
      diagnostics: context.diagnostics,
      outline: open.outlineOf(document),
      lineText: (line) => lineText(document, line),
    })
  })
  connection.onCodeActionResolve(async (action): Promise<CodeAction> => {
    const data = migrationOf(action.data)
    const path = data === null ? null : pathOf(data.uri)
    if (data === null || path === null) return action
    const { before, after, left } = await sites.migrated(path)
    const edits = changedLines(before, after, data.lines)
    const document = documents.get(data.uri)
    const isCurrent = document?.getText() === before
    if (edits.length > 0 && isCurrent) return { ...action, edit: { changes: { [data.uri]: edits } } }
    const why = !isCurrent ? 'the text has changed meanwhile' : left.length === 0 ? 'nothing to change here' : left.join('; ')
    await connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message: `Not rewritten: ${why}` })
    return action
  })
  connection.onCodeLens(({ textDocument }) => {
    const document = documents.get(textDocument.uri)
    if (document === undefined) return []
    const kind = fileKind(pathOf(document.uri) ?? document.uri)
    return lenses(open.outlineOf(document), document.uri, kind, client().whoCommand)
  })
}

/** Data of an action that this server has made. */
function migrationOf(data: unknown): MigrationData | null {
  if (typeof data !== 'object' || data === null || !('uri' in data) || !('lines' in data)) return null
  const { uri, lines }: { readonly uri: unknown; readonly lines: unknown } = data
  if (typeof uri !== 'string') return null
  if (lines === null) return { uri, lines: null }
  if (!Array.isArray(lines)) return null
  const [start, end]: readonly unknown[] = lines
  return typeof start === 'number' && typeof end === 'number' ? { uri, lines: [start, end] } : null
}
