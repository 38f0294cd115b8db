import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { MODULES, type Owner, StagedServer } from '../fixtures/staged-server.ts'

const ALWAYS = ['authz_core', 'authz_user', 'authn_core', 'auth_basic']
const WORKERS = 2

/** A server to start. */
export interface ServerPlan {
  readonly modules: readonly string[]
  /** Each has a page. */
  readonly paths: readonly string[]
  readonly lines: readonly string[]
  /** Writes further files. */
  readonly prepare?: (server: StagedServer) => void | Promise<void>
}

/** A server with two workers. */
export async function serverWith(owner: Owner, { modules, paths, lines, prepare }: ServerPlan): Promise<StagedServer> {
  const server = await StagedServer.make(owner)
  for (const path of paths) server.file(`htdocs${path}`, 'page\n')
  await prepare?.(server)
  server.configure(
    ...[...ALWAYS, ...modules].map((name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`),
    `WorkerProcesses ${WORKERS}`,
    'LogLevel crit',
    ...lines,
  )
  await server.start()
  return server
}

/** The section of a page that asks for a password. */
export function section(path: string, ...lines: readonly string[]): readonly string[] {
  return [`<Location ${path}>`, 'AuthType Basic', 'AuthName x', 'Require valid-user', ...lines, '</Location>']
}

/** As mod_authn_dbd and password files have it. */
export function hashOf(password: string): string {
  return `{SHA}${createHash('sha1').update(password).digest('base64')}`
}

/** Names of users who log in for the first time, each once as long as there are some. */
export function newcomers(count: number): () => string {
  let last = 0
  return () => `u${last++ % count}`
}
