import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { createServer as serve } from '@gatewright/core'
import { type FileTree, serverRoot } from '../server-root.ts'
import { installedModules } from './installed-modules.ts'

export interface ServerOptions {
  /**
   * The configuration's text. `LoadModule` loads modules of the installed server, as `modules/mod_NAME.mjs`.
   */
  readonly config: string
  /** Modules that are registered without a LoadModule line: the module under test. */
  readonly modules?: readonly AnyModule[]
  /** Files by their path below the server root: `docs/index.html`. */
  readonly files?: FileTree
  /** Names that `<IfDefine>` matches, like those of `httpd -D`. */
  readonly defines?: readonly string[]
}

export interface SiteOptions extends Omit<ServerOptions, 'config'> {
  /**
   * Lines after `ServerName localhost` and `DocumentRoot ROOT/docs`; `@ROOT@` is replaced by the server root.
   */
  readonly config?: string
}

export interface InjectOptions {
  /** GET if absent. */
  readonly method?: string
  /** Path and query, `/hello?name=x`. */
  readonly target: string
  /** In addition to `Host: localhost` and `Connection: close`, or instead of them. */
  readonly headers?: Readonly<Record<string, string>>
  /** One byte per character. */
  readonly body?: string
  /** Address of the client; 127.0.0.1 if absent. */
  readonly remoteAddress?: string
  readonly localPort?: number
  /** `HTTP/1.1` if absent. */
  readonly version?: string
}

/** A response; all text is one byte per character. */
export interface InjectedResponse {
  readonly status: number
  readonly statusLine: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** The first field with a name, ignoring case. */
  header(name: string): string | undefined
}

/** A server in this process. */
export interface TestServer {
  readonly serverRoot: string
  /**
   * Serves on a free port of 127.0.0.1, or of another address of this machine.
   * @returns the port
   */
  listen(address?: string): Promise<number>
  /** Runs one request without a socket; a string is its path. */
  inject(request: InjectOptions | string): Promise<InjectedResponse>
  /** Lines of the error log so far. */
  errors(): readonly string[]
  /** Ends the server and removes its files. */
  close(): Promise<void>
}

/**
 * Creates a server in this process, with its own server root, which closing the server removes.
 * @throws an error with httpd's message, file and line if the configuration is invalid
 */
export function createServer(options: ServerOptions): Promise<TestServer> {
  return start(options, options.config)
}

/**
 * Creates a server with a name and a document root, for one test.
 * @throws an error with httpd's message, file and line if the configuration is invalid
 */
export function site(options: SiteOptions): Promise<TestServer> {
  return start(options, `ServerName localhost\nDocumentRoot "@ROOT@/docs"\n${options.config ?? ''}\n`)
}

async function start({ modules, files, defines }: SiteOptions, config: string): Promise<TestServer> {
  const { root, remove } = serverRoot(files)
  try {
    symlinkSync(installedModules(), join(root, 'modules'))
    const text = config.replaceAll('@ROOT@', root)
    const server = await serve({ config: text, modules, serverRoot: root, defines })
    return {
      serverRoot: root,
      listen: server.listen,
      inject: server.inject,
      errors: server.errors,
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
