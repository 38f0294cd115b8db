import { join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { FileSource, TextSource } from '@gatewright/core'
import { type FileTree, serverRoot } from '@gatewright/testing'
import accessCompat from 'mod_access_compat'
import authBasic from 'mod_auth_basic'
import authnCore from 'mod_authn_core'
import authnFile from 'mod_authn_file'
import authzCore from 'mod_authz_core'
import authzHost from 'mod_authz_host'
import authzUser from 'mod_authz_user'
import dir from 'mod_dir'
import setenvif from 'mod_setenvif'
import type { Test } from 'tap'
import { type Explanation, explain, PolicyServer, type Question } from '../../src/index.ts'

const MODULES: readonly AnyModule[] = [
  accessCompat,
  authBasic,
  authnCore,
  authnFile,
  authzCore,
  authzHost,
  authzUser,
  dir,
  setenvif,
]

export interface PolicySiteOptions {
  /** Lines after ServerName, DocumentRoot and AuthUserFile; `@ROOT@` is the root. */
  readonly config: string
  readonly files?: FileTree
  /** Modules in addition to those of every site. */
  readonly modules?: readonly AnyModule[]
  /** Whether directories and databases are asked; they are if absent. */
  readonly reach?: 'online' | 'offline'
}

/** A configuration that answers questions, with users bob (bobpw) and alice (alicepw). */
export class PolicySite {
  readonly root: string
  readonly #config: string
  readonly #modules: readonly AnyModule[]
  readonly #reach: 'online' | 'offline'

  constructor(t: Test, { config, files, modules = [], reach = 'online' }: PolicySiteOptions) {
    const { root, remove } = serverRoot({ users: USERS, 'docs/index.html': 'home', ...files })
    t.teardown(remove)
    this.root = root
    this.#reach = reach
    this.#modules = [...MODULES, ...modules]
    this.#config = `ServerName localhost\nDocumentRoot "${root}/docs"\n${config.replaceAll('@ROOT@', root)}\n`
  }

  open(after: readonly string[] = []): Promise<PolicyServer> {
    const configFile = join(this.root, 'conf/httpd.conf')
    return PolicyServer.open({
      program: 'test',
      serverRoot: this.root,
      configFile,
      defines: [],
      before: [],
      after,
      source: new TextSource(new Map([[configFile, this.#config]]), new FileSource()),
      environment: {},
      report: () => undefined,
      builtIn: this.#modules,
      skipDocumentRootCheck: false,
      reach: this.#reach,
    })
  }

  async explain(question: Partial<Question> = {}): Promise<Explanation> {
    return explain(await this.open(), ask(question), { asHttpd: () => this.open(['AccessCompatPrecedence httpd']) })
  }
}

/** A question in which a test sets only the relevant properties. */
export function ask(question: Partial<Question>): Question {
  return {
    method: 'GET',
    target: '/index.html',
    host: 'localhost',
    localAddress: '127.0.0.1',
    localPort: 80,
    client: '127.0.0.1',
    credentials: null,
    headers: [],
    ...question,
  }
}

const USERS = 'bob:{SHA}KXV5lfOmXj1HOy0eE1tRGdIyUHw=\nalice:{SHA}pXcenXUnxGz6jD4dFmSXV63E49g=\n'

/** Lines that require bob or alice. */
export const AUTH = 'AuthType Basic\nAuthName "Realm"\nAuthUserFile "@ROOT@/users"\n'
