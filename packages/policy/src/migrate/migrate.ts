import type { Logins } from '../assumed-login.ts'
import type { PolicyServer } from '../policy-server.ts'
import { accessLines } from './access-lines.ts'
import { brokenAbove, brokenFiles } from './broken-files.ts'
import { type BoundSection, bound, type Chain, findChains } from './chains.ts'
import { withConditions } from './conditional-chains.ts'
import { ConfigFiles } from './config-files.ts'
import { FileEdit } from './file-edit.ts'
import type { Intent } from './host-set.ts'
import { makePlan, type Plan, type Remark } from './plan.ts'
import { sampleRequests } from './sampled-requests.ts'
import { type Upgrade, upgrade } from './upgrade.ts'

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
  /** Sections about access whose conditions are expressions: a proof meets them by chance only. */
  readonly conditional?: readonly string[]
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
  const met = await meetSections(upgraded.texts, { accessFolders, open })
  const plan = makePlan(met.chains, met.unmet, intent)
  const { chains, broken, before } = met
  // The lines that people know are those of the files as they stand.
  const asBefore = ({ file, line, text }: Remark): Remark => ({
    file,
    line: upgraded.originalLine(file, line),
    text: withOriginalLines(text, upgraded),
  })
  const after = applied(upgraded.texts, plan)
  return {
    files: [...texts].flatMap(([path, text]) => {
      const now = after.get(path) ?? text
      return now === text ? [] : [{ path, before: text, after: now }]
    }),
    left: [...broken.values(), ...plan.left, ...unreadFiles(new ConfigFiles(upgraded.texts), chains, broken)].map(asBefore),
    remarks: [...upgraded.remarks, ...plan.remarks.map(asBefore)],
    before,
    after: { ...before, texts: after },
    chains,
  }
}

/** Places in a text, `FILE:LINE`, as the files stand. */
function withOriginalLines(text: string, { texts, originalLine }: Upgrade): string {
  return text.replace(/(\/[^\s:"()]+):(\d+)/g, (whole, file: string, line: string) =>
    texts.has(file) ? `${file}:${originalLine(file, Number(line))}` : whole,
  )
}

/** Asks sample requests, and once more where a folder is not reached by its URL. */
export async function meetSections(
  texts: ReadonlyMap<string, string>,
  { accessFolders, open }: Pick<MigrateOptions, 'accessFolders' | 'open'>,
): Promise<{
  readonly chains: readonly Chain[]
  readonly unmet: readonly BoundSection[]
  /** .htaccess files that the server cannot read. */
  readonly broken: ReadonlyMap<string, Remark>
  readonly before: Variant
}> {
  const files = new ConfigFiles(texts)
  const first = await open({ texts, folders: new Set(), after: AS_HTTPD })
  await first.close()
  const { generation } = first.snapshot
  const attempt = async (unreached: ReadonlySet<string>) => {
    const { questions, folders, extraLines } = sampleRequests(generation, files, { accessFolders, unreached })
    const before: Variant = { texts, folders, after: [...AS_HTTPD, ...guarded(extraLines)] }
    const server = await open(before)
    try {
      const sure = await findChains(server, files, questions)
      const { chains, conditional, complete } = withConditions(server, files, sure)
      const unmet = [...unmetSections(server, files, chains), ...(complete ? [] : conditional)]
      const titles = conditional.map(({ title, file, line }) => `${title} (${file}:${line})`)
      return { chains, unmet, broken: brokenFiles(server, texts), before: { ...before, conditional: titles } }
    } finally {
      await server.close()
    }
  }
  const met = await attempt(new Set())
  const keys = new Set(met.unmet.map(({ key }) => key))
  const lost = generation.sections.flatMap(({ kind, file, line, match }) =>
    kind === 'Directory' && match?.pattern === null && match.wildcard === null && keys.has(`${file}:${line}`) ? [match.path] : [],
  )
  return lost.length === 0 ? met : attempt(new Set(lost))
}

/** Both sides of a proof are read as httpd reads them. */
const AS_HTTPD = ['<IfModule mod_access_compat.c>', 'AccessCompatPrecedence httpd', '</IfModule>']

function guarded(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['<IfModule mod_alias.c>', ...lines, '</IfModule>']
}

function unmetSections(server: PolicyServer, files: ConfigFiles, chains: readonly Chain[]): BoundSection[] {
  const met = new Set(chains.flatMap(({ sections }) => sections.map(({ key }) => key)))
  const ofServer = server.snapshot.generation.sections
    .filter(({ file, line, kind }) => kind !== 'server' && kind !== 'VirtualHost' && !met.has(`${file}:${line}`))
    .map((section) => bound(server, files, section))
  return [...ofServer, ...unmetInAccessFiles(files, chains, met)]
}

/** Old rules that are in force nowhere: it does no harm that they stay, but nobody should take them for migrated. */
function unreadFiles(files: ConfigFiles, chains: readonly Chain[], broken: ReadonlyMap<string, Remark>): Remark[] {
  const read = new Set(chains.flatMap(({ sections }) => sections.map(({ file }) => file)))
  return files.paths.flatMap((file) => {
    if (!file.endsWith('/.htaccess') || read.has(file) || broken.has(file)) return []
    const { lines, obstacles } = accessLines(files.document(file)?.items ?? [], () => 'read')
    const old = lines.find(({ kind }) => kind !== 'require')
    const above = brokenAbove(file, broken)
    const text =
      above === undefined
        ? 'no request reads this file: AllowOverride lets it say nothing, or no URL leads to its folder'
        : `it acts together with ${above.file}:${above.line}, which the server cannot read`
    const unread = old === undefined ? [] : [{ file, line: old.item.line ?? 1, text }]
    return [...obstacles.map(({ line, reason }) => ({ file, line, text: reason })), ...unread]
  })
}

/** Sections in .htaccess files are bound only when a request meets them. */
function unmetInAccessFiles(files: ConfigFiles, chains: readonly Chain[], met: ReadonlySet<string>): BoundSection[] {
  const accessFiles = new Set(chains.flatMap(({ sections }) => sections.flatMap(({ file, line }) => (line === 0 ? [file] : []))))
  return [...files.items()].flatMap(({ path, item }) => {
    if (item.kind !== 'section' || !accessFiles.has(path) || !/^(?:files(?:match)?|if|elseif|else)$/i.test(item.name)) return []
    const line = item.line ?? 0
    const key = `${path}:${line}`
    if (met.has(key)) return []
    return [
      {
        key,
        kind: 'Files',
        parent: `${path}:0`,
        file: path,
        line,
        title: `<${item.name} ${item.text}>`,
        access: accessLines(item.items, () => 'read'),
      },
    ]
  })
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
