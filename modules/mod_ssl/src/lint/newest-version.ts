import { ALL_PROTOCOLS, versionRange } from '../protocol-versions.ts'
import { applyCommand, type ContextDraft } from '../start/apply-commands.ts'
import type { EffectiveSettings } from '../start/effective-settings.ts'
import { StartFiles } from '../start/start-files.ts'

/** Commands that choose versions, by their names in lower case. */
const VERSION_COMMANDS: ReadonlySet<string> = new Set(['protocol', 'minprotocol', 'maxprotocol'])

/** The newest version of TLS that clients of a server can use; undefined if there is none. */
export function newestVersion({ server }: EffectiveSettings): string | undefined {
  const range = versionRange(server.protocols ?? ALL_PROTOCOLS)
  if (range === undefined) return undefined
  const draft: ContextDraft = { cipherList: undefined, cipherSuites: undefined, options: { maxVersion: range.max } }
  const files = StartFiles.onDisk()
  for (const command of server.confCommands) {
    if (VERSION_COMMANDS.has(command.name.toLowerCase())) applyCommand(draft, command, files)
  }
  return draft.options.maxVersion
}
