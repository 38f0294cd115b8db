import { readFileSync } from 'node:fs'
import { type ManualEntry, serveLanguage } from '@gatewright/language-server'
import { createConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node'
import { print } from '../../startup-output.ts'
import { AnalyserProcess } from './analyser-process.ts'

/** Time without a change before a check (ms). */
const PAUSE = 250

/** `gatewright lsp`: serves an editor over standard input and output until it ends. */
export function runLsp(argv: readonly string[]): void {
  const unknown = argv.find((word) => word !== '--stdio')
  if (unknown !== undefined) {
    const isHelp = unknown === '--help' || unknown === '-h'
    if (!isHelp) print(2, `gatewright lsp: no such option: ${unknown}`)
    print(isHelp ? 1 : 2, LSP_USAGE)
    process.exitCode = isHelp ? 0 : 2
    return
  }
  const analyser = new AnalyserProcess(new URL('./gatewright-lsp-analyser.mjs', import.meta.url))
  const connection = createConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout))
  // An editor that is gone does not say so.
  process.stdin.on('end', () => {
    analyser.close()
    process.exit(0)
  })
  serveLanguage({ connection, analyser, manual: manualEntries(), pause: PAUSE })
}

/** What manual pages say; the build collects it. */
function manualEntries(): readonly ManualEntry[] {
  try {
    const entries: readonly ManualEntry[] = JSON.parse(readFileSync(new URL('./gatewright-manual.json', import.meta.url), 'utf8'))
    return entries
  } catch {
    return []
  }
}

const LSP_USAGE = `Usage: gatewright lsp [--stdio]

Serves an editor: completion, manual, checks and answers about access for configuration files and .htaccess files, by the
Language Server Protocol on standard input and output. An editor starts it; see docs/operating/editors.md.

The server reads files and writes none. It starts one process, which loads configurations without the rights to write files
and to start programs.`
