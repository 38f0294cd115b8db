import {
  type Connection,
  DidChangeConfigurationNotification,
  MarkupKind,
  MessageType,
  ShowMessageNotification,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Analyser } from '../analysis.ts'
import { Catalogue, NO_CATALOGUE } from '../catalogue/catalogue.ts'
import type { ManualEntry } from '../catalogue/manual.ts'
import { foldingOf, symbolsOf } from '../documents/symbols.ts'
import { directiveText } from '../hover/directive-text.ts'
import { answerActions } from './answer-actions.ts'
import { answerQuestions } from './answer-questions.ts'
import { answerReferences } from './answer-references.ts'
import { capabilities, WHO } from './capabilities.ts'
import { OpenDocuments, pathOf } from './open-documents.ts'
import { clientSettings, settingsOf } from './settings.ts'
import { Sites } from './sites.ts'

/** What a language server works with. */
export interface LanguageServerOptions {
  readonly connection: Connection
  readonly analyser: Analyser
  /** What the manual pages of modules say. */
  readonly manual: readonly ManualEntry[]
  /** Time without a change before a check (ms). */
  readonly pause: number
}

/** Serves an editor until the connection ends. A request that fails is answered with an error and logged. */
export function serveLanguage({ connection, analyser, manual, pause }: LanguageServerOptions): void {
  const documents = new TextDocuments(TextDocument)
  const open = new OpenDocuments(documents)
  let catalogue = new Catalogue(NO_CATALOGUE, manual)
  let client = clientSettings({ capabilities: {}, processId: null, rootUri: null })
  const sites = new Sites({ connection, analyser, documents, open, pause })

  connection.onInitialize((params) => {
    client = clientSettings(params)
    sites.use(client)
    return { capabilities: capabilities(client), serverInfo: { name: 'gatewright' } }
  })
  // Completion without the installed modules is empty, so it waits for them. A failure counts until the next request.
  let listing: Promise<void> | null = null
  const ready = (): Promise<void> => {
    listing ??= analyser.catalogue().then(
      (data) => {
        catalogue = new Catalogue(data, manual)
      },
      (error: unknown) => {
        listing = null
        connection.console.error(`The installed modules could not be listed: ${String(error)}`)
      },
    )
    return listing
  }
  void ready()
  connection.onInitialized(() => {
    if (client.canConfigure) {
      void connection.client.register(DidChangeConfigurationNotification.type, { section: 'gatewright' }).catch(ignore)
      void readSettings()
    }
  })
  connection.onDidChangeConfiguration(({ settings }) => {
    if (client.canConfigure) void readSettings()
    else use(settings)
  })
  const use = (value: unknown): void => {
    client = { ...client, ...settingsOf(value) }
    sites.use(client)
  }
  const readSettings = async (): Promise<void> => {
    try {
      use({ gatewright: await connection.workspace.getConfiguration('gatewright') })
    } catch {
      // An editor without this section keeps what it sent at the start.
    }
  }

  documents.onDidChangeContent(({ document }) => sites.changed(document))
  documents.onDidClose(({ document }) => sites.closed(document))
  connection.onDidChangeWatchedFiles(() => sites.allChanged())

  answerQuestions({ connection, documents, open, sites, ready, catalogue: () => catalogue, client: () => client })
  answerReferences({ connection, documents, open, sites })
  answerActions({ connection, documents, open, sites, analyser, client: () => client })
  connection.onCompletionResolve((item) => {
    const name: unknown = item.data
    const text = typeof name === 'string' ? directiveText(catalogue, name) : null
    return text === null ? item : { ...item, documentation: { kind: MarkupKind.Markdown, value: text } }
  })
  connection.onDocumentSymbol(({ textDocument }) => {
    const document = documents.get(textDocument.uri)
    return document === undefined ? [] : symbolsOf(open.outlineOf(document))
  })
  connection.onFoldingRanges(({ textDocument }) => {
    const document = documents.get(textDocument.uri)
    return document === undefined ? [] : foldingOf(open.outlineOf(document))
  })
  connection.onExecuteCommand(async ({ command, arguments: words = [] }) => {
    const [uri, line]: readonly unknown[] = words
    if (command !== WHO || typeof uri !== 'string' || typeof line !== 'number') return null
    const path = pathOf(uri)
    if (path === null) return null
    const text = await sites.who(path, line)
    if (client.whoCommand === WHO)
      await connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message: text })
    return text
  })
  connection.onShutdown(() => {
    sites.close()
    analyser.close()
  })
  documents.listen(connection)
  connection.listen()
}

function ignore(): void {}
