import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { FileSource, TextSource } from '@gatewright/core'
import { type FileTree, serverRoot } from '@gatewright/testing'
import dir from 'mod_dir'
import logConfig from 'mod_log_config'
import mime from 'mod_mime'
import remoteip from 'mod_remoteip'
import rewrite from 'mod_rewrite'
import setenvif from 'mod_setenvif'
import status from 'mod_status'
import version from 'mod_version'
import type { Test } from 'tap'
import { PolicyServer } from '../../src/index.ts'
import { ACCESS_MODULES } from './access-modules.ts'

const MODULES: readonly AnyModule[] = [...ACCESS_MODULES, dir, logConfig, mime, remoteip, rewrite, setenvif, status, version]

/** A small configuration: its lines are numbered from 1, `@DOCS@` is the document root. */
export interface LintSite {
  readonly config: string
  /**
   * Below the document root; a name that ends in a slash is a folder, and a text that begins with `->` the
   * target of a link.
   */
  readonly docs?: Readonly<Record<string, string>>
}

/** Opens a site whose configuration is httpd.conf in its root, and whose documents are in docs. */
export async function openSite(t: Test, { config, docs = {} }: LintSite): Promise<{ root: string; server: PolicyServer }> {
  const files: Record<string, string> = { 'docs/index.html': 'home' }
  for (const [name, text] of Object.entries(docs))
    if (!name.endsWith('/') && !text.startsWith('->')) files[join('docs', name)] = text
  const { root, remove } = serverRoot(files satisfies FileTree)
  t.teardown(remove)
  for (const name of Object.keys(docs)) if (name.endsWith('/')) mkdirSync(join(root, 'docs', name), { recursive: true })
  for (const [name, text] of Object.entries(docs)) if (text.startsWith('->')) symlinkSync(text.slice(2), join(root, 'docs', name))
  const configFile = join(root, 'httpd.conf')
  const text = config.replaceAll('@DOCS@', join(root, 'docs'))
  const server = await PolicyServer.open({
    program: 'test',
    serverRoot: root,
    configFile,
    defines: [],
    before: ['ServerName localhost', 'Listen 80', `DocumentRoot "${root}/docs"`, 'TypesConfig /dev/null'],
    after: [],
    source: new TextSource(new Map([[configFile, text]]), new FileSource()),
    environment: {},
    report: () => undefined,
    builtIn: MODULES,
    skipDocumentRootCheck: false,
  })
  return { root, server }
}
