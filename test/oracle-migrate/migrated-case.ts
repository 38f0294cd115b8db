import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { ConfigError, FileSource, TextSource } from '@gatewright/core'
import {
  type Claim,
  type Intent,
  type Migration,
  migrate,
  PolicyServer,
  type Proof,
  prove,
  type Variant,
} from '@gatewright/policy'
import macro from 'mod_macro'
import setenvif from 'mod_setenvif'
import version from 'mod_version'
import { ACCESS_MODULES } from '../../packages/policy/test/support/access-modules.ts'
import type { OldConfig } from './config-generator.ts'

const MODULES: readonly AnyModule[] = [...ACCESS_MODULES, macro, setenvif, version]

export interface MigratedCase {
  readonly migration: Migration
  readonly proof: Proof
  readonly claims: readonly Claim[]
}

export interface CaseOptions {
  /** A separate folder for the case: the document root is `old` in it. */
  readonly root: string
  readonly intent: Intent
  readonly guards: 'kept' | 'collapsed'
  /** Requests that are decided at most. */
  readonly limit: number
  /** Requests that are kept as claims, spread over all. */
  readonly claims: number
  /** Makes a mistake in the migrated text, on purpose. */
  readonly spoil?: (text: string) => string
}

/** Migrates a configuration and proves what came of it. @returns the error lines of a configuration that does not load even before */
export async function migratedCase(
  { sections, included, accessFiles }: OldConfig,
  place: CaseOptions,
): Promise<MigratedCase | string> {
  const { root, intent, guards, limit, spoil = (text) => text } = place
  const configFile = join(root, 'case.conf')
  const files = Object.entries(accessFiles).map(([folder, text]): [string, string] => [
    join(root, 'old', folder, '.htaccess'),
    text,
  ])
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const open = ({ texts, folders, after, hosts = '', logins = 'known' }: Variant): Promise<PolicyServer> => {
    writeFileSync(join(root, 'hosts'), hosts)
    return PolicyServer.open({
      program: 'oracle',
      serverRoot: root,
      configFile,
      defines: [],
      before: ['ServerName localhost', `DocumentRoot "${root}/old"`],
      after,
      source: new TextSource(texts, new FileSource()),
      environment: {},
      report: () => undefined,
      builtIn: MODULES,
      skipDocumentRootCheck: true,
      assumed: { folders, accessFiles: texts },
      names: { hostsFile: join(root, 'hosts'), servers: ['127.0.0.1:9'], patience: 50 },
      logins,
    })
  }
  let migration: Migration
  try {
    const floor = `<Directory "${root}/old">\nAllowOverride All\n</Directory>\n`
    const more = Object.entries(included).map(([name, text]): [string, string] => [join(root, 'old', name), text])
    const texts = new Map([[configFile, floor + sections], ...more, ...files])
    migration = await migrate({ texts, accessFolders: files.map(([path]) => dirname(path)), intent, guards, open })
  } catch (error) {
    if (error instanceof ConfigError) return error.lines('oracle').join('\n')
    throw error
  }
  const seen: Claim[] = []
  const observe = (claim: Claim): void => {
    seen.push(claim)
  }
  const { before, chains } = migration
  const texts = new Map([...migration.after.texts].map(([path, text]) => [path, spoil(text)]))
  const proof = await prove({ before, after: { ...migration.after, texts }, chains, limit, observe, open })
  const { difference } = proof
  const spread = Math.max(1, Math.floor(seen.length / place.claims))
  const claims = seen.filter((_, index) => index % spread === 0)
  return { migration, proof, claims: difference === null ? claims : [...claims, difference] }
}
