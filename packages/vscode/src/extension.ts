import { commands, type ExtensionContext, window, workspace } from 'vscode'
import { ExecuteCommandRequest, LanguageClient } from 'vscode-languageclient/node'

/** The command of the lens, which this extension shows in a panel of its own. */
const SHOW_WHO = 'gatewright.showWho'
/** The server's command, which answers with a table. */
const WHO = 'gatewright.who'

let client: LanguageClient | null = null

/** Called by the editor when it opens the first configuration file. */
export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel('Gatewright')
  context.subscriptions.push(
    output,
    commands.registerCommand(SHOW_WHO, async (uri: string, line: number) => {
      const answer: unknown = await client?.sendRequest(ExecuteCommandRequest.type, { command: WHO, arguments: [uri, line] })
      if (typeof answer !== 'string') return
      output.appendLine(`${answer}\n`)
      output.show(true)
    }),
    commands.registerCommand('gatewright.restart', async () => {
      await client?.stop()
      await start()
    }),
  )
  await start()
}

/** Called by the editor when it ends. */
export async function deactivate(): Promise<void> {
  await client?.stop()
}

async function start(): Promise<void> {
  const settings = workspace.getConfiguration('gatewright')
  const program = settings.get('program', 'gatewright')
  const starting = new LanguageClient(
    'gatewright',
    'Gatewright',
    { command: program, args: ['lsp', '--stdio'] },
    {
      documentSelector: [{ scheme: 'file', language: 'apacheconf' }],
      initializationOptions: { configFile: settings.get('configFile', ''), whoCommand: SHOW_WHO },
      synchronize: { fileEvents: workspace.createFileSystemWatcher('**/{*.conf,*.load,.htaccess}') },
    },
  )
  try {
    await starting.start()
    client = starting
  } catch {
    // A client that did not start cannot be stopped, and a restart needs a new one.
    client = null
    void window.showErrorMessage(
      `${program} lsp could not be started: set gatewright.program to the program of the installed server.`,
    )
  }
}
