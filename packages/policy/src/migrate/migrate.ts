import type { Logins } from '../assumed-login.ts'
import type { PolicyServer } from '../policy-server.ts'
import { bound, type Chain, findChains } from './chains.ts'
import { ConfigFiles } from './config-files.ts'
import { FileEdit } from './file-edit.ts'
import type { Intent } from './host-set.ts'
import { makePlan, type Plan, type Remark } from './plan.ts'
import { sampleRequests } from './sampled-requests.ts'
import { upgrade } from './upgrade.ts'

/** A configuration to be opened as it would be with other texts in its files. */
export interface Variant {
  /** By absolute path: files of the configuration and .htaccess files. One character for each byte. */
  readonly texts: ReadonlyMap<string, string>
  /** Folders that count as there. */
  readonly folders: ReadonlySet<string>
  /** Lines behind those of the configuration. */
  readonly after: readonly string[]
  /** What stands in for name servers, in the format of /etc/hosts; absent: nobody has a name. */
  readonly hosts?: string
  /** Whose name counts without a password; absent: users whom the configuration knows. */
  readonly logins?: Logins
}

export interface MigrateOptions {
  /** Every file, as it stands now. */
  readonly texts: ReadonlyMap<string, string>
  /** Folders with .htaccess files. */
  readonly accessFolders: readonly string[]
  readonly intent: Intent
  /** @throws ConfigError when a configuration does not load */
  open(variant: Variant): Promise<PolicyServer>
}

export interface Migration {
  readonly files: readonly MigratedFile[]
  /** What stays in the old dialect, and why. */
  readonly left: readonly Remark[]
  readonly remarks: readonly Remark[]
  /** The configuration with its old access rules, as far as 2.4 can load it, and with the new ones: what a proof compares. */
  readonly before: Variant
  readonly after: Variant
  readonly chains: readonly Chain[]
}

export interface MigratedFile {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** Rewrites a configuration of 2.2, or of both dialects, for 2.4. Writes nothing. @throws ConfigError when it does not load even after what 2.4 removed is taken out */
export async function migrate({ texts, accessFolders, intent, open }: MigrateOptions): Promise<Migration> {
  const upgraded = upgrade(new ConfigFiles(texts))
  const files = new ConfigFiles(upgraded.texts)
  const first = await open({ texts: upgraded.texts, folders: new Set(), after: AS_HTTPD })
  const samples = sampleRequests(first.snapshot.generation, files, accessFolders)
  await first.close()
  const before = { texts: upgraded.texts, folders: samples.folders, after: [...AS_HTTPD, ...guarded(samples.extraLines)] }
  const server = await open(before)
  const chains = await findChains(server, files, samples.questions)
  const plan = makePlan(chains, unmetSections(server, files, chains), intent)
  await server.close()
  const after = applied(upgraded.texts, plan)
  return {
    files: [...texts].flatMap(([path, text]) => {
      const now = after.get(path) ?? text
      return now === text ? [] : [{ path, before: text, after: now }]
    }),
    left: plan.left,
    remarks: [...upgraded.remarks, ...plan.remarks],
    before,
    after: { ...before, texts: after },
    chains,
  }
}

/** Both sides of a proof are read as httpd reads them. */
const AS_HTTPD = ['<IfModule mod_access_compat.c>', 'AccessCompatPrecedence httpd', '</IfModule>']

function guarded(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['<IfModule mod_alias.c>', ...lines, '</IfModule>']
}

function unmetSections(server: PolicyServer, files: ConfigFiles, chains: readonly Chain[]) {
  const met = new Set(chains.flatMap(({ sections }) => sections.map(({ key }) => key)))
  return server.snapshot.generation.sections
    .filter(({ file, line, kind }) => kind !== 'server' && kind !== 'VirtualHost' && !met.has(`${file}:${line}`))
    .map((section) => bound(server, files, section))
}

function applied(texts: ReadonlyMap<string, string>, { edits }: Plan): ReadonlyMap<string, string> {
  const after = new Map(texts)
  for (const [path, ofFile] of Map.groupBy(edits, ({ section }) => section.file)) {
    const edit = new FileEdit(texts.get(path) ?? '')
    for (const one of ofFile) one.edit.apply(edit)
    after.set(path, edit.text)
  }
  return after
}
