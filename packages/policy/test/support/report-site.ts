import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { FileSource, TextSource } from '@gatewright/core'
import { serverRoot } from '@gatewright/testing'
import accessCompat from 'mod_access_compat'
import alias from 'mod_alias'
import authzCore from 'mod_authz_core'
import authzHost from 'mod_authz_host'
import dir from 'mod_dir'
import reqtimeout from 'mod_reqtimeout'
import status from 'mod_status'
import type { Test } from 'tap'
import {
  PolicyServer,
  type UpgradeFinding,
  type UpgradeReport,
  type UpgradeReportOptions,
  upgradeReport,
  type Variant,
} from '../../src/index.ts'

const MODULES: readonly AnyModule[] = [accessCompat, alias, authzCore, authzHost, dir]

export interface ReportSiteOptions {
  /**
   * Files in addition to the configuration, below the server root, including `.htaccess` files; `@ROOT@` is
   * the root.
   */
  readonly files?: Readonly<Record<string, string>>
  readonly modules?: readonly ('reqtimeout' | 'status')[]
}

const OTHERS = { reqtimeout, status }

/** A report on a configuration in memory; other files are in a temporary folder. */
export async function reportOn(
  t: Test,
  config: string,
  { files = {}, modules = [] }: ReportSiteOptions = {},
  options: Partial<UpgradeReportOptions> = {},
): Promise<UpgradeReport> {
  const { root, remove } = serverRoot({})
  t.teardown(remove)
  const configFile = join(root, 'httpd.conf')
  const texts = new Map([[configFile, config.replaceAll('@ROOT@', root)]])
  const accessFolders: string[] = []
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text.replaceAll('@ROOT@', root))
    texts.set(path, text.replaceAll('@ROOT@', root))
    if (path.endsWith('/.htaccess')) accessFolders.push(dirname(path))
  }
  const open = ({ texts, folders, after, logins = 'known' }: Variant): Promise<PolicyServer> =>
    PolicyServer.open({
      program: 'test',
      serverRoot: root,
      configFile,
      defines: [],
      before: ['ServerName localhost'],
      after,
      source: new TextSource(texts, new FileSource()),
      environment: {},
      report: () => undefined,
      builtIn: [...MODULES, ...modules.map((name) => OTHERS[name])],
      skipDocumentRootCheck: true,
      assumed: { folders, accessFiles: texts },
      logins,
    })
  return upgradeReport({
    subject: 'httpd.conf',
    texts,
    accessFolders,
    configFile,
    madeUp: new Set(),
    modulesFolder: undefined,
    writtenFor: null,
    options: [],
    niceFile: null,
    unread: [],
    refused: () => [],
    open,
    ...options,
  })
}

/** Findings of a kind, without those that need no action. */
export function told({ findings }: UpgradeReport, kind: UpgradeFinding['kind']): UpgradeFinding[] {
  return findings.filter((finding) => finding.kind === kind && finding.weight !== 'know')
}
