import type { AccessLines } from '../site/access-lines.ts'
import { hasHostRules, hasRequire, hostSet, mergingOf, methodsOf, requireInForce } from '../site/access-rules.ts'
import type { BoundSection } from '../site/bound-section.ts'
import type { Chain } from '../site/chains.ts'
import { type Intent, isReadOtherwise } from '../site/host-set.ts'
import { acrossMethods } from '../site/method-classes.ts'
import type { Remark } from '../site/remark.ts'
import { GRANTED, type Requirement, requirementKey } from '../site/requirement.ts'
import { isOpenedBy } from './opened-section.ts'
import { requirementText } from './requirement-text.ts'
import { type SectionEdit, sectionEdit } from './section-edit.ts'
import { type PlacedEdit, placeEdits } from './shared-lines.ts'
import { wholeRequirement } from './whole-requirement.ts'

/** How to change the sections of a configuration. */
export interface Plan {
  readonly edits: readonly PlacedEdit[]
  /** Rules that stay in the old dialect, and the reason. */
  readonly left: readonly Remark[]
  /** Among them, the sections in the new dialect that would have to grant more access. */
  readonly opened: readonly Remark[]
  /** Remarks about the changes. */
  readonly remarks: readonly Remark[]
}

export interface PlanOptions {
  readonly intent: Intent
  /** Files that must not be written: their rules stay. */
  readonly foreign: ReadonlySet<string>
}

/** The result of a chain: its last section with any rule must contain all of it. */
interface Outcome {
  readonly section: BoundSection
  readonly chain: readonly BoundSection[]
  /** null where no old rule is in force: nothing has to change for this chain. */
  readonly target: Requirement | { readonly reason: string } | null
}

/**
 * Determines the content of each section so that Require alone expresses the rules of both dialects. If one
 * section of a chain cannot be changed, none of its sections is changed: the old rules in it would affect the
 * new ones in another.
 * @param unmet sections to which no chain leads
 */
export function makePlan(chains: readonly Chain[], unmet: readonly BoundSection[], { intent, foreign }: PlanOptions): Plan {
  const stuck = new Map<BoundSection, Remark>()
  const opened = new Set<BoundSection>()
  const edits = new Map<BoundSection, SectionEdit | null>()
  const all = [...new Set(chains.flatMap(({ sections }) => sections))]
  for (const section of all.filter(({ access }) => hasRules(access)))
    for (const { line, reason } of section.access.obstacles) stick(stuck, section, line, reason)
  for (const [section, outcomes] of Map.groupBy(outcomesOf(chains, intent), (outcome) => outcome.section)) {
    if (foreign.has(section.file)) continue
    const edit = settle(section, outcomes)
    if ('reason' in edit) {
      if (edit.opens) opened.add(section)
      stick(stuck, section, edit.line, edit.reason)
    } else edits.set(section, edit.edit)
  }
  for (const loose of unmet.filter(({ access }) => isPartial(access)))
    for (const section of near(loose, chains))
      if (hasHostRules(section.access))
        stick(
          stuck,
          section,
          section.line,
          `no sample request reaches ${loose.title} (${loose.file}:${loose.line}), whose rules may combine with these`,
        )
  for (let before = -1; before !== stuck.size; ) {
    before = stuck.size
    spread(chains, stuck, edits)
    spreadToJoined(chains, stuck, edits)
    spreadToTwins([...all, ...unmet], stuck, edits)
  }
  const concerned = new Set(
    chains.flatMap(({ sections }) => (sections.some(({ access }) => hasHostRules(access)) ? sections : [])),
  )
  const left = [...stuck].filter(([section]) => concerned.has(section)).map(([, remark]) => remark)
  for (const { access, file, line, title } of unmet)
    if (hasHostRules(access)) left.push({ file, line, text: `no sample request reaches ${title}` })
  const { placed } = placeEdits(withoutStuck([...all, ...unmet], stuck, edits))
  return {
    edits: [...placed.values()],
    left,
    opened: [...stuck].filter(([section]) => opened.has(section)).map(([, remark]) => remark),
    remarks: [...placed.keys()].flatMap((section) => remarksOf(section, intent)),
  }
}

/**
 * The outcomes of every chain and of every beginning of one, because the first sections may apply alone to a
 * request.
 */
function outcomesOf(chains: readonly Chain[], intent: Intent): Outcome[] {
  const outcomes: Outcome[] = []
  const ends = new Set<BoundSection>()
  for (const { sections } of chains) {
    const outcome = outcomeOf(sections, intent)
    if (outcome === null) continue
    outcomes.push(outcome)
    ends.add(outcome.section)
  }
  for (const { sections } of chains) {
    for (let length = 1; length < sections.length; length++) {
      const section = sections[length - 1]
      if (ends.has(section) || !hasRules(section.access)) continue
      const outcome = outcomeOf(sections.slice(0, length), intent)
      if (outcome !== null) outcomes.push(outcome)
      ends.add(section)
    }
  }
  return outcomes
}

function outcomeOf(chain: readonly BoundSection[], intent: Intent): Outcome | null {
  const section = chain.findLast(({ access }) => hasRules(access))
  if (section === undefined) return null
  const host = chain.findLast(({ access }) => hasHostRules(access)) ?? null
  if (host === null) return { section, chain, target: null }
  const said = chain.map(({ access }) => access)
  const hasAuthType = chain.findLast(({ access }) => access.authType !== 'unsaid')?.access.authType === 'set'
  const byMethod = new Map<string, Requirement>()
  for (const method of methodsOf([host.access, ...said.filter(hasRequire).slice(-1)])) {
    const require = requireInForce(said, method)
    if (require !== null && 'reason' in require) return { section, chain, target: require }
    const whole = wholeRequirement({ host: hostSet(host.access, method), require, hasAuthType }, intent)
    if ('reason' in whole) return { section, chain, target: whole }
    byMethod.set(method, whole)
  }
  return { section, chain, target: acrossMethods(byMethod) }
}

function settle(
  section: BoundSection,
  outcomes: readonly Outcome[],
): { readonly edit: SectionEdit | null } | { readonly line: number; readonly reason: string; readonly opens?: boolean } {
  const { line, access } = section
  if (outcomes.every(({ target }) => target === null)) return { edit: null }
  const [first] = outcomes
  for (const { target } of outcomes) if (target !== null && 'reason' in target) return { line, reason: target.reason }
  const other = outcomes.find((one) => meaning(one) !== meaning(first))
  if (other !== undefined)
    return { line, reason: `its meaning depends on the enclosing section: ${shown(first)}, but ${shown(other)}` }
  const [target] = outcomes.flatMap((one) => (one.target === null || 'reason' in one.target ? [] : [one.target]))
  const [{ chain }] = outcomes
  if (
    isOpenedBy(
      chain.slice(0, chain.indexOf(section) + 1).map((one) => one.access),
      target,
    )
  )
    return { line, reason: whatOpens(first, target), opens: true }
  const edit = sectionEdit(access, target)
  return edit !== null && 'reason' in edit ? { line, reason: edit.reason } : { edit }
}

/**
 * Why a section in the new dialect has to stay: the old rules around it would have to be written into it, and
 * open it.
 */
function whatOpens({ chain }: Outcome, target: Requirement): string {
  const host = chain.findLast(({ access }) => hasHostRules(access))
  const cause = host === undefined ? 'old rules' : `Satisfy Any of ${placeOf(host)}`
  return `this opens what the Require lines here close: with ${cause} in force they mean "${requirementText(target)}", which migrate does not write`
}

/** The required content of the last section of a chain, so that two of them can be compared. */
function meaning(outcome: Outcome): string {
  const said = whatIsSaid(outcome)
  return 'reason' in said ? said.reason : requirementKey(said)
}

function whatIsSaid({ chain, target }: Outcome): Requirement | { readonly reason: string } {
  if (target !== null) return target
  const said = chain.map(({ access }) => access)
  const byMethod = new Map<string, Requirement>()
  for (const method of methodsOf(said.filter(hasRequire).slice(-1))) {
    const require = requireInForce(said, method)
    if (require !== null && 'reason' in require) return require
    byMethod.set(method, require ?? GRANTED)
  }
  return acrossMethods(byMethod)
}

function shown(outcome: Outcome): string {
  const ruled = outcome.chain.filter(({ access }) => hasRules(access))
  const said = whatIsSaid(outcome)
  return `"${'reason' in said ? said.reason : requirementText(said)}" with ${ruled.map(placeOf).join(', ')}`
}

function placeOf(section: BoundSection): string {
  const { file, occasion } = section
  return `${file}:${firstLine(section)}${occasion === '' ? '' : ` (${occasion})`}`
}

/** The line at which to look for a section: for a whole file, its first rule. */
function firstLine({ line, access }: BoundSection): number {
  return line || (access.lines.at(0)?.place.item.line ?? access.obstacles.at(0)?.line ?? 1)
}

/** In a chain whose rules remain in the old dialect, nothing that they depend on may change. */
function spread(chains: readonly Chain[], stuck: Map<BoundSection, Remark>, edits: Edits): void {
  for (const { sections } of chains) {
    const cause = sections.find((section) => stuck.has(section))
    if (cause === undefined) continue
    for (const section of sections) {
      const edit = edits.get(section)
      if (edit == null || isOverruled(section, edit, sections, stuck)) continue
      stick(stuck, section, section.line, `it combines with ${cause.title} (${placeOf(cause)}), which is left unchanged`)
    }
  }
}

/** True if sections that stay replace everything that an edit removes from a chain. */
function isOverruled(
  section: BoundSection,
  { said }: SectionEdit,
  chain: readonly BoundSection[],
  stuck: ReadonlyMap<BoundSection, Remark>,
): boolean {
  if (chain.some(({ access }) => access.obstacles.length > 0 || mergingOf(access) !== null)) return false
  const host = chain.findLast(({ access }) => hasHostRules(access))
  const require = chain.findLast(({ access }) => hasRequire(access))
  const stays = (one: BoundSection | undefined): boolean => one !== undefined && one !== section && stuck.has(one)
  return stays(host) && (said === null || stays(require))
}

/** Sections that AuthMerging joins with an unchanged section must not change either. */
function spreadToJoined(chains: readonly Chain[], stuck: Map<BoundSection, Remark>, edits: Edits): void {
  for (const { sections } of chains) {
    const joined = sections.findLast((section) => mergingOf(section.access) !== null && edits.get(section) == null)
    if (joined === undefined) continue
    for (const section of sections.slice(0, sections.indexOf(joined)))
      if (edits.get(section) != null)
        stick(
          stuck,
          section,
          section.line,
          `AuthMerging joins it with ${joined.title} (${placeOf(joined)}), which is left unchanged`,
        )
  }
}

/** Lines that belong to several sections change for all of them or for none. */
function spreadToTwins(all: readonly BoundSection[], stuck: Map<BoundSection, Remark>, edits: Edits): void {
  for (const { section, other } of placeEdits(withoutStuck(all, stuck, edits)).conflicts)
    stick(
      stuck,
      section,
      section.line,
      `the same lines are read for ${placeOf(section)} and for ${placeOf(other)}, which would need different ones`,
    )
}

function withoutStuck(
  all: readonly BoundSection[],
  stuck: ReadonlyMap<BoundSection, Remark>,
  edits: Edits,
): Map<BoundSection, SectionEdit | null> {
  return new Map(all.map((section) => [section, stuck.has(section) ? null : (edits.get(section) ?? null)]))
}

type Edits = ReadonlyMap<BoundSection, SectionEdit | null>

function stick(stuck: Map<BoundSection, Remark>, section: BoundSection, line: number, reason: string): void {
  if (!stuck.has(section)) stuck.set(section, { file: section.file, line: line || firstLine(section), text: reason })
}

function remarksOf({ access, file, line }: BoundSection, intent: Intent): Remark[] {
  const place = access.lines.find(({ kind }) => kind === 'order')?.place.item.line ?? line
  const [method] = methodsOf([access])
  const otherwise =
    intent === 'exact'
      ? 'under this Order, Deny from all overrides every Allow, so no address is allowed; the examples in the manual read it as Order deny,allow, and so does --intent documented'
      : 'read as Order deny,allow, as in the manual; httpd allows no address here, so the two are not equal'
  const noneAsHost = access.lines.find(
    (one) =>
      (one.kind === 'allow' || one.kind === 'deny') &&
      one.words.some(({ values }) => values.some((word) => word.toLowerCase() === 'none')),
  )
  return [
    ...(isReadOtherwise(hostSet(access, method)) ? [{ file, line: place, text: otherwise }] : []),
    ...(noneAsHost === undefined ? [] : [{ file, line: noneAsHost.place.item.line ?? line, text: NONE_AS_HOST }]),
  ]
}

const NONE_AS_HOST =
  "'none' is a host name here, which the server would look up for every client; write Require all denied to deny everybody"

function hasRules(access: AccessLines): boolean {
  return access.lines.length > 0 || access.obstacles.length > 0
}

/**
 * The sections with which a section may combine: all of them, or for a .htaccess file those that apply below
 * it.
 */
function near({ file }: BoundSection, chains: readonly Chain[]): BoundSection[] {
  const below = chains.filter(({ sections }) => sections.some((section) => section.file === file && section.line === 0))
  return (below.length === 0 ? chains : below).flatMap(({ sections }) => sections)
}

/** A section that contains only one half of the decision takes the other half from elsewhere. */
function isPartial(access: AccessLines): boolean {
  return hasRules(access) && (!hasHostRules(access) || !hasRequire(access) || access.obstacles.length > 0)
}
