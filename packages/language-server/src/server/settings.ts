import type { InitializeParams } from 'vscode-languageserver/node'
import { WHO } from './capabilities.ts'
import { pathOf } from './open-documents.ts'

/** What a person may set in the editor. */
export interface Settings {
  /** The main file of the configuration that open files belong to; null: found beside or above them. */
  readonly configFile: string | null
}

/** What the client can do, and what it has set. */
export interface ClientSettings extends Settings {
  readonly folders: readonly string[]
  readonly hasSnippets: boolean
  /** Whether it answers workspace/configuration. */
  readonly canConfigure: boolean
  /** The command of the lens: the client's own, or the server's, which shows a message. */
  readonly whoCommand: string
}

export function clientSettings({
  capabilities,
  workspaceFolders,
  rootUri,
  initializationOptions,
}: InitializeParams): ClientSettings {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri])
  const options: unknown = initializationOptions
  return {
    ...settingsOf(options),
    folders: uris.flatMap((uri) => pathOf(uri) ?? []),
    hasSnippets: capabilities.textDocument?.completion?.completionItem?.snippetSupport === true,
    canConfigure: capabilities.workspace?.configuration === true,
    whoCommand: textIn(options, 'whoCommand') ?? WHO,
  }
}

/** Reads `{ gatewright: { configFile } }`, or the inner object alone. */
export function settingsOf(value: unknown): Settings {
  const inner = isObject(value) && 'gatewright' in value ? value.gatewright : value
  return { configFile: textIn(inner, 'configFile') }
}

function textIn(value: unknown, name: string): string | null {
  if (!isObject(value) || !Object.hasOwn(value, name)) return null
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value
  return typeof found === 'string' && found !== '' ? found : null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
