import type { Logins } from '../assumed-login.ts'
import type { PolicyServer } from '../policy-server.ts'
import { type BoundSection, SectionReader } from '../site/bound-section.ts'
import { brokenFiles } from '../site/broken-files.ts'
import { type Chain, findChains } from '../site/chains.ts'
import { withConditions } from '../site/conditional-chains.ts'
import { ConfigFiles } from '../site/config-files.ts'
import type { Intent } from '../site/host-set.ts'
import { MAX_REQUESTS, sampleRequests } from '../site/sampled-requests.ts'
import { unmetSections, unreadRules } from '../site/unmet-sections.ts'
import { collapseGuards } from './collapsed-files.ts'
import { editedFiles } from './edited-files.ts'
import { makePlan, type Remark } from './plan.ts'
import { type Upgrade, upgrade } from './upgrade.ts'

/** A configuration to be opened as it would be with other texts in its files. */
export interface Variant {
  /** By absolute path: files of the configuration and .htaccess files. One character for each byte. */
  readonly texts: ReadonlyMap<string, string>
  /** Folders that count as there. */
  readonly folders: ReadonlySet<string>
  /** Lines that follow those of the configuration. */
  readonly after: readonly string[]
  /** The substitute for name servers, in the format of /etc/hosts; absent: no address has a name. */
  readonly hosts?: string
  /** Whose name counts without a password; absent: users whom the configuration knows. */
  readonly logins?: Logins
  /** Sections about access whose conditions are expressions: a proof meets them by chance only. */
  readonly conditional?: readonly string[]
}

export interface MigrateOptions {
  /** Every file with its current content. */
  readonly texts: ReadonlyMap<string, string>
  /** Folders with .htaccess files. */
  readonly accessFolders: readonly string[]
  readonly intent: Intent
  /** The treatment of guards that distinguish the dialects; absent: they are kept. */
  readonly guards?: 'kept' | 'collapsed'
  /**
   * Files of a server that somebody else configures: they are never changed, and what they close stays
   * closed.
   */
  readonly foreign?: ReadonlySet<string>
  /** @throws ConfigError when a configuration does not load */
  open(variant: Variant): Promise<PolicyServer>
}

export interface Migration {
  readonly files: readonly MigratedFile[]
  /** What stays in the old dialect, and why. */
  readonly left: readonly Remark[]
  /** Of those the sections in the new dialect that would have to be opened. */
  readonly opened: readonly Remark[]
  readonly remarks: readonly Remark[]
  /**
   * The configuration with its old access rules, as far as 2.4 can load it, and with the new ones: the
   * subject of a proof.
   */
  readonly before: Variant
  readonly after: Variant
  readonly chains: readonly Chain[]
}

export interface MigratedFile {
  readonly path: string
  readonly before: string
  readonly after: string
}

/**
 * Rewrites a configuration of 2.2, or of both dialects, for 2.4. Writes nothing.
 * @throws ConfigError if it does not load even without the directives that 2.4 removed
 */
export async function migrate({
  texts,
  accessFolders,
  intent,
  guards = 'kept',
  foreign = new Set(),
  open,
}: MigrateOptions): Promise<Migration> {
  const upgraded = upgrade(new ConfigFiles(texts))
  const files = new ConfigFiles(upgraded.texts)
  const met = await meetSections(files, { accessFolders, open })
  const plan = makePlan(met.chains, met.unmet, { intent, foreign })
  const { chains, before } = met
  // Line numbers for people refer to the original files.
  const asBefore = ({ file, line, text }: Remark): Remark => ({
    file,
    line: upgraded.originalLine(file, line),
    text: withOriginalLines(text, upgraded),
  })
  const edits = editedFiles(files, plan.edits)
  const rewritten = new Map([...upgraded.texts].map(([path, text]) => [path, edits.get(path)?.text ?? text]))
  const { after, kept } =
    guards === 'kept' ? { after: rewritten, kept: [] } : await collapseGuards({ ...before, texts: rewritten }, chains, open)
  const asWritten = ({ file, line, text }: Remark): Remark => ({ file, line: edits.get(file)?.originalLine(line) ?? line, text })
  return {
    files: [...texts].flatMap(([path, text]) => {
      const now = after.get(path) ?? text
      return now === text ? [] : [{ path, before: text, after: now }]
    }),
    left: unique([...met.broken.values(), ...plan.left, ...met.unread].map(asBefore)),
    opened: unique(plan.opened.map(asBefore)),
    remarks: unique([...upgraded.remarks, ...[...plan.remarks, ...kept.map(asWritten)].map(asBefore)]),
    before,
    after: { ...before, texts: after },
    chains,
  }
}

/** A text that is read from several places is reported once. */
function unique(remarks: readonly Remark[]): Remark[] {
  return [...new Map(remarks.map((remark) => [`${remark.file}:${remark.line}:${remark.text}`, remark])).values()]
}

/** Places in a text, `FILE:LINE`, in terms of the original files. */
function withOriginalLines(text: string, { texts, originalLine }: Upgrade): string {
  return text.replace(/(\/[^\s:"()]+):(\d+)/g, (whole, file: string, line: string) =>
    texts.has(file) ? `${file}:${originalLine(file, Number(line))}` : whole,
  )
}

/** The sections of a configuration, and how requests meet them. */
interface MetSections {
  readonly chains: readonly Chain[]
  readonly unmet: readonly BoundSection[]
  readonly unread: readonly Remark[]
  /** .htaccess files that the server cannot read. */
  readonly broken: ReadonlyMap<string, Remark>
  readonly before: Variant
}

/** Asks sample requests, and once more where a folder is not reached by its URL. */
export async function meetSections(
  files: ConfigFiles,
  { accessFolders, open }: Pick<MigrateOptions, 'accessFolders' | 'open'>,
): Promise<MetSections> {
  const { texts } = files
  const first = await open({ texts, folders: new Set(), after: AS_HTTPD })
  await first.close()
  const { generation } = first.snapshot
  const attempt = async (unreached: ReadonlySet<string>): Promise<MetSections> => {
    const {
      questions,
      complete: isComplete,
      folders,
      extraLines,
    } = sampleRequests(generation, files, { accessFolders, unreached })
    const before: Variant = { texts, folders, after: [...AS_HTTPD, ...guarded(extraLines)] }
    const server = await open(before)
    try {
      const reader = new SectionReader(server, files)
      const sure = await findChains(server, reader, questions)
      const { chains, conditional, complete } = withConditions(server, reader, sure)
      const unmet = [...unmetSections(server, { files, reader, chains }), ...(complete ? [] : conditional)]
      const titles = conditional.map(({ title, file, line }) => `${title} (${file}:${line})`)
      const broken = brokenFiles(server, texts)
      const cause = isComplete
        ? UNREACHED
        : `this file was not checked, because more than ${MAX_REQUESTS} requests would be necessary: migrate a part of the tree`
      const unread = unreadRules(server, { files, reader, chains }, { broken, cause })
      return { chains, unmet, unread, broken, before: { ...before, conditional: titles } }
    } finally {
      await server.close()
    }
  }
  const met = await attempt(new Set())
  const titles = new Set(met.unmet.map(({ title }) => title))
  const lost = generation.sections.flatMap(({ kind, title, match }) =>
    kind === 'Directory' && match?.pattern === null && match.wildcard === null && titles.has(title) ? [match.path] : [],
  )
  return lost.length === 0 ? met : attempt(new Set(lost))
}

const UNREACHED = 'no request reads this file: AllowOverride disables it, or no URL leads to its folder'

/** Both sides of a proof are read as httpd reads them. */
const AS_HTTPD = ['<IfModule mod_access_compat.c>', 'AccessCompatPrecedence httpd', '</IfModule>']

function guarded(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['<IfModule mod_alias.c>', ...lines, '</IfModule>']
}
