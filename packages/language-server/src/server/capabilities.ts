import { CodeActionKind, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver/node'
import type { ClientSettings } from './settings.ts'

/** The command that answers "Who can get here?" with a table. */
export const WHO = 'gatewright.who'

export function capabilities(_client: ClientSettings): ServerCapabilities {
  return {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: ['<', '/', ' ', '{', '+', '-', '[', ','], resolveProvider: true },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    foldingRangeProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite], resolveProvider: true },
    codeLensProvider: {},
    executeCommandProvider: { commands: [WHO] },
  }
}
