import type { AnyModule } from '@gatewright/api'
import { ConfigError } from '@gatewright/core'
import { createServer, type FileTree, serverRoot } from '@gatewright/testing'

export interface LoadTrial {
  readonly modules?: readonly AnyModule[]
  readonly files?: FileTree
}

/** The rejection of an invalid configuration. The server's root is written `ROOT` everywhere. */
export interface Refused {
  readonly phase: string
  readonly file: string
  readonly line: number
  readonly message: string
  readonly hint: string | undefined
  /** The output on the console. */
  readonly console: readonly string[]
}

/**
 * Loads a configuration that is expected to be invalid; `@ROOT@` in it is the server's root.
 * @throws Error if it is accepted
 */
export async function refusal(config: string, trial: LoadTrial = {}): Promise<Refused> {
  const { root, remove } = serverRoot(trial.files)
  const hide = (text: string): string => text.replaceAll(root, 'ROOT')
  try {
    const server = await createServer({ config: config.replaceAll('@ROOT@', root), modules: trial.modules, serverRoot: root })
    await server.close()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { phase, line, message, hint } = error
    return {
      phase,
      file: hide(error.file),
      line,
      message: hide(message),
      hint: hint === undefined ? undefined : hide(hint),
      console: error.lines('httpd').map(hide),
    }
  } finally {
    remove()
  }
  throw new Error(`the configuration was accepted:\n${config}`)
}

/**
 * Lines that an accepted configuration writes into the error log while it is read, without their time and
 * process.
 */
export async function complaints(config: string, trial: LoadTrial = {}): Promise<readonly string[]> {
  const { root, remove } = serverRoot(trial.files)
  try {
    const server = await createServer({
      config: `ServerName localhost\nDocumentRoot docs\n${config.replaceAll('@ROOT@', root)}`,
      modules: trial.modules,
      serverRoot: root,
    })
    const lines = server.errors().map((line) => bare(line).replaceAll(root, 'ROOT'))
    await server.close()
    return lines
  } finally {
    remove()
  }
}

/** A line of the error log without its time and process. */
export function bare(line: string): string {
  return line.replace(/^\[[^\]]*\] (\[[^\]]*\]) \[pid [^\]]*\] /, '$1 ').replace(/\[client [^\]]*\] /, '')
}
