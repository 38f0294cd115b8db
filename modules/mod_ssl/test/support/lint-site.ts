import { join } from 'node:path'
import { FileSource, TextSource } from '@gatewright/core'
import { type Finding, lint, moduleFindings, PolicyServer } from '@gatewright/policy'
import { type FileTree, serverRoot } from '@gatewright/testing'
import type { Test } from 'tap'
import authzCore from '../../../mod_authz_core/src/index.ts'
import ssl from '../../src/index.ts'

export interface LintSite {
  /** httpd.conf, numbered from 1; `@ROOT@` is the root. */
  readonly config: string
  readonly files: FileTree
  /** Whether requests are decided, too, which needs certificates that the server can start with. */
  readonly opened?: boolean
  /** `localhost` if absent. */
  readonly serverName?: string
  /** Called with the root when its files are there. */
  readonly prepare?: (root: string) => void
}

export interface Linted {
  readonly root: string
  /** As -t prints them. */
  readonly hints: readonly string[]
  /** Of the rules of this module. */
  readonly findings: readonly Finding[]
}

/** What lint finds in a configuration, and which hints -t prints. */
export async function lintSite(
  t: Test,
  { config, files, opened = false, prepare, serverName = 'localhost' }: LintSite,
): Promise<Linted> {
  const { root, remove } = serverRoot(files)
  t.teardown(remove)
  prepare?.(root)
  const configFile = join(root, 'httpd.conf')
  let hints: readonly string[] = []
  let isLoaded = false
  let found: readonly Finding[] = []
  const opening = PolicyServer.open({
    program: 'test',
    serverRoot: root,
    configFile,
    defines: [],
    before: [`ServerName ${serverName}`, 'Listen 80', `DocumentRoot "${root}/docs"`],
    after: [],
    source: new TextSource(new Map([[configFile, config.replaceAll('@ROOT@', root)]]), new FileSource()),
    environment: {},
    report: () => undefined,
    builtIn: [authzCore, ssl],
    skipDocumentRootCheck: true,
    onLoaded: (configuration) => {
      hints = configuration.hints()
      found = moduleFindings(configuration)
      isLoaded = true
    },
  })
  if (!opened) {
    const server = await opening.catch((error: unknown) => {
      // Modules may not get ready: their rules were applied before.
      if (!isLoaded) throw error
      return null
    })
    await server?.close()
    return { root, hints, findings: found }
  }
  const server = await opening
  const findings = await lint(server, { rules: [], modules: { found, isWanted: () => true } })
  await server.close()
  return { root, hints, findings }
}
