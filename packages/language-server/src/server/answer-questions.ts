import { type CompletionItem, type Connection, MarkupKind, type TextDocuments } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { complete } from '../completion/complete.ts'
import { definitions } from '../definition/define.ts'
import { fileKind } from '../documents/file-kind.ts'
import { placeIn } from '../documents/place.ts'
import { hoverText } from '../hover/hover.ts'
import { fromBytes, toBytes } from './byte-texts.ts'
import { lineText, textBefore } from './logical-line.ts'
import { type OpenDocuments, pathOf, uriOf } from './open-documents.ts'
import type { ClientSettings } from './settings.ts'
import type { Sites } from './sites.ts'

/** What the answers to questions about a position are made from. */
export interface QuestionsOptions {
  readonly connection: Connection
  readonly documents: TextDocuments<TextDocument>
  readonly open: OpenDocuments
  readonly sites: Sites
  ready(): Promise<void>
  catalogue(): Catalogue
  client(): ClientSettings
}

/** Answers completion, hover and definition. */
export function answerQuestions({ connection, documents, open, sites, ready, catalogue, client }: QuestionsOptions): void {
  connection.onCompletion(async ({ textDocument, position }) => {
    await ready()
    const document = documents.get(textDocument.uri)
    if (document === undefined) return null
    const path = pathOf(document.uri) ?? document.uri
    const outline = open.outlineOf(document)
    const around = outline.enclosing(position.line)
    const checked = sites.checkedOf(path)
    const kind = fileKind(path)
    const { items, replaces } = complete({
      catalogue: catalogue(),
      place: placeIn(kind, around, kind === 'htaccess' ? (checked?.granted[toBytes(path)] ?? null) : null),
      around: around.map(({ name }) => name),
      text: textBefore(document, position.line, position.character),
      outlines: [outline],
      defines: checked?.defines ?? {},
      hasSnippets: client().hasSnippets,
    })
    const start = { line: position.line, character: Math.max(0, position.character - replaces) }
    return { isIncomplete: replaces > 0, items: items.map((item) => placed(item, { start, end: position })) }
  })
  connection.onHover(async ({ textDocument, position }) => {
    await ready()
    const document = documents.get(textDocument.uri)
    if (document === undefined) return null
    const checked = sites.checkedOf(pathOf(document.uri) ?? document.uri)
    const text = hoverText(catalogue(), lineText(document, position.line), position.character, checked?.defines ?? {})
    return text === null ? null : { contents: { kind: MarkupKind.Markdown, value: text } }
  })
  connection.onDefinition(({ textDocument, position }) => {
    const document = documents.get(textDocument.uri)
    const path = document === undefined ? null : pathOf(document.uri)
    if (document === undefined || path === null) return []
    const checked = sites.checkedOf(path)
    const targets = definitions({
      text: lineText(document, position.line),
      character: position.character,
      serverRoot: checked === null ? '/' : fromBytes(checked.serverRoot),
      defines: checked?.defines ?? {},
      files: () =>
        sites.filesOf(path).flatMap((file) => {
          const outline = open.outlineAt(file)
          return outline === null ? [] : [{ path: file, outline }]
        }),
    })
    return targets.map(({ path: file, line }) => ({
      uri: uriOf(file),
      range: { start: { line, character: 0 }, end: { line, character: 0 } },
    }))
  })
}

/** With the range that it replaces, so that editors need not guess where a word begins. */
function placed(item: CompletionItem, range: { readonly start: Position; readonly end: Position }): CompletionItem {
  const { insertText, ...rest } = item
  return { ...rest, textEdit: { range, newText: insertText ?? item.label } }
}

interface Position {
  readonly line: number
  readonly character: number
}
