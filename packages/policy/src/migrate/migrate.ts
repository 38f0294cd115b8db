import type { Chain } from '../site/chains.ts'
import { ConfigFiles } from '../site/config-files.ts'
import type { Intent } from '../site/host-set.ts'
import { meetSections, type SiteToMeet } from '../site/meet-sections.ts'
import type { Remark } from '../site/remark.ts'
import type { Variant } from '../site/variant.ts'
import { collapseGuards } from './collapsed-files.ts'
import { editedFiles } from './edited-files.ts'
import { makePlan } from './plan.ts'
import { type Upgrade, upgrade } from './upgrade.ts'

export interface MigrateOptions extends SiteToMeet {
  /** Every file with its current content. */
  readonly texts: ReadonlyMap<string, string>
  readonly intent: Intent
  /** How to treat guards that distinguish the dialects; they are kept if absent. */
  readonly guards?: 'kept' | 'collapsed'
  /**
   * Files of a server that another person configures: they are never changed, and access that they deny stays
   * denied.
   */
  readonly foreign?: ReadonlySet<string>
}

export interface Migration {
  readonly files: readonly MigratedFile[]
  /** Rules that stay in the old dialect, and the reason. */
  readonly left: readonly Remark[]
  /** Among them, the sections in the new dialect that would have to grant more access. */
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
