import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { FileSource, TextSource } from '@gatewright/core'
import { type FileTree, serverRoot } from '@gatewright/testing'
import dir from 'mod_dir'
import macro from 'mod_macro'
import setenvif from 'mod_setenvif'
import version from 'mod_version'
import type { Test } from 'tap'
import {
  type Intent,
  type Migration,
  migrate,
  PolicyServer,
  type Proof,
  prove,
  type Side,
  type Variant,
} from '../../src/index.ts'
import { ACCESS_MODULES } from './access-modules.ts'

const MODULES: readonly AnyModule[] = [...ACCESS_MODULES, dir, macro, setenvif, version]

/** A configuration of 2.2 with its files, in a separate folder. */
export class MigrateSite {
  readonly root: string
  readonly #config: string
  readonly #accessFiles: Readonly<Record<string, string>>
  readonly #included: Readonly<Record<string, string>>

  /**
   * @param accessFiles .htaccess files by folder below the document root
   * @param included files of the configuration by their names in `conf`
   */
  constructor(
    t: Test,
    config: string,
    accessFiles: Readonly<Record<string, string>> = {},
    included: Readonly<Record<string, string>> = {},
  ) {
    const tree: Record<string, string> = { users: USERS, 'docs/index.html': 'home' }
    for (const [name, text] of Object.entries(included)) tree[join('conf', name)] = text
    for (const [folder, text] of Object.entries(accessFiles)) tree[join('docs', folder, '.htaccess')] = text
    const { root, remove } = serverRoot(tree satisfies FileTree)
    t.teardown(remove)
    this.root = root
    this.#config = config.replaceAll('@ROOT@', root)
    this.#accessFiles = accessFiles
    this.#included = included
  }

  get configFile(): string {
    return join(this.root, 'conf/httpd.conf')
  }

  get configText(): string {
    return this.#config
  }

  migrate(intent: Intent = 'exact', guards: 'kept' | 'collapsed' = 'kept'): Promise<Migration> {
    const files = Object.entries(this.#accessFiles).map(([folder, text]): [string, string] => [
      join(this.root, 'docs', folder, '.htaccess'),
      text,
    ])
    const included = Object.entries(this.#included).map(([name, text]): [string, string] => [
      join(this.root, 'conf', name),
      text.replaceAll('@ROOT@', this.root),
    ])
    return migrate({
      texts: new Map([[this.configFile, this.#config], ...included, ...files]),
      accessFolders: Object.keys(this.#accessFiles).map((folder) => join(this.root, 'docs', folder)),
      intent,
      guards,
      open: (variant) => this.open(variant),
    })
  }

  /** The site with another configuration and without .htaccess files. */
  side(config: string): Side {
    const texts = new Map([[this.configFile, config.replaceAll('@ROOT@', this.root)]])
    return { texts, accessFolders: [], open: (variant) => this.open(variant) }
  }

  async prove({ before, after, chains }: Migration): Promise<Proof> {
    return prove({ before, after, chains, limit: 20_000, open: (variant) => this.open(variant) })
  }

  open({ texts, folders, after, hosts = '', logins = 'known' }: Variant): Promise<PolicyServer> {
    const hostsFile = join(this.root, 'hosts')
    writeFileSync(hostsFile, hosts)
    return PolicyServer.open({
      program: 'test',
      serverRoot: this.root,
      configFile: this.configFile,
      defines: [],
      before: ['ServerName localhost', `DocumentRoot "${this.root}/docs"`],
      after,
      source: new TextSource(texts, new FileSource()),
      environment: {},
      report: () => undefined,
      builtIn: MODULES,
      skipDocumentRootCheck: true,
      assumed: { folders, accessFiles: texts },
      logins,
      names: { hostsFile, servers: ['127.0.0.1:9'], patience: 50 },
    })
  }
}

/** The new text of the only file. */
export function newText({ files }: Migration): string | undefined {
  return files.length === 1 ? files[0].after : undefined
}

const USERS = 'bob:{SHA}KXV5lfOmXj1HOy0eE1tRGdIyUHw=\nalice:{SHA}pXcenXUnxGz6jD4dFmSXV63E49g=\n'

/** Lines that require bob or alice. */
export const AUTH = 'AuthType Basic\nAuthName "Realm"\nAuthBasicProvider file\nAuthUserFile "@ROOT@/users"\n'
