import type { AnyModule } from '@gatewright/api'
import { utf8Bytes } from '@gatewright/api/text'
import { createServer, type LoopClock, type NameSettings, type SharedState, type TestServer } from '@gatewright/core'
import { type FileTree, serverRoot } from './server-root.ts'

export interface SiteOptions {
  readonly modules?: readonly AnyModule[]
  /**
   * Lines after `ServerName localhost` and `DocumentRoot ROOT/docs`; `@ROOT@` is replaced by the root. The
   * server reads the text as UTF-8 bytes, as it reads a file.
   */
  readonly config?: string
  readonly files?: FileTree
  /** Words that `<IfDefine>` tests. */
  readonly defines?: readonly string[]
  /** Name servers and hosts file that the server uses instead of the system's. */
  readonly names?: NameSettings
  /** The clock and the scheduler that time long computations, instead of those of the event loop. */
  readonly loopClock?: LoopClock
  /** What it shares with other servers, as workers share it. */
  readonly shared?: SharedState
}

/** Creates a server with its own files, for one test; `close` removes everything. */
export async function site(options: SiteOptions): Promise<TestServer> {
  const { root, remove } = serverRoot(options.files)
  const config = utf8Bytes(
    `ServerName localhost\nDocumentRoot "${root}/docs"\n${(options.config ?? '').replaceAll('@ROOT@', root)}\n`,
  )
  try {
    const server = await createServer({
      config,
      modules: options.modules,
      serverRoot: root,
      defines: options.defines,
      names: options.names,
      loopClock: options.loopClock,
      shared: options.shared,
    })
    return {
      ...server,
      close: async () => {
        await server.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
