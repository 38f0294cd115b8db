import type { DocumentItem, SectionItem } from '@gatewright/config'
import type { SkippedBody } from '@gatewright/core'
import type { Surprise } from '../explanation.ts'
import { closesToStrangers } from '../site/closes-to-strangers.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { sectionAt } from '../site/section-at.ts'
import type { SurpriseContext } from './context.ts'
import type { Mistake } from './mistake.ts'
import type { Found } from './rule.ts'

/**
 * `<IfModule>`, `<IfVersion>` and the like that keep access rules from being read, in the sections that
 * apply.
 */
export const skippedGuard: Mistake = {
  surprises,
  rule: {
    id: 'GW002',
    about: 'a Deny or Require in a guard that does not hold, without a replacement',
    severity: 'error',
    isConfirmed: true,
    find: (site) => site.observations.flatMap((observation) => found(site, observation)),
  },
}

function surprises(context: SurpriseContext): Surprise[] {
  return skippedBodies(context).flatMap(({ title, file, line, names }) => {
    const rules = [...names].filter((name) => ABOUT_ACCESS.has(name.toLowerCase()))
    if (rules.length === 0) return []
    return [
      {
        name: 'branch not read',
        text: `${title} does not hold here, so ${rules.join(', ')} inside it ${rules.length === 1 ? 'is' : 'are'} not read.`,
        places: [{ file, line }],
      },
    ]
  })
}

/** The lines that false conditions excluded in the sections that apply to a request. */
function skippedBodies({
  server,
  stage,
  recorded,
}: Pick<SurpriseContext, 'server' | 'stage' | 'recorded'>): readonly SkippedBody[] {
  const sections = recorded.steps.flatMap(({ step }) => (step.kind === 'sections' ? step.sections : []))
  const { skippedBodies } = server.configuration
  const applies = ({ parent }: SkippedBody): boolean =>
    parent !== null && stage.sections.some(({ place }) => place.file === parent.file && place.line === parent.line)
  const inServerFiles = skippedBodies.filter(applies)
  // At the top of a .htaccess file, no section encloses a guard, and the file applies.
  const inHtaccess = sections
    .flatMap((section) => server.configuration.skippedIn(section))
    .filter((body) => body.parent === null || applies(body))
  return [...new Set([...inServerFiles, ...inHtaccess])]
}

function found({ server, files }: LintedSite, shownBy: Observation): Found[] {
  const { stage, recorded } = shownBy
  if (stage.access !== 'granted') return []
  return skippedBodies({ server, stage, recorded }).flatMap(({ title, file, line }) => {
    const guard = sectionAt(files, file, line)
    if (guard === undefined || isFallback(guard) || hasCounterpart(files, file, guard) || !closesToStrangers(guard.items))
      return []
    const isSwitch = /^ifdefine$/i.test(guard.name)
    return [
      {
        place: { file, line },
        ...(isSwitch && { severity: 'note' as const }),
        message: `${title} does not hold, so its access rules are not read, and nothing else denies access to strangers`,
        hint: isSwitch
          ? `without -D ${guard.words[0] ?? 'NAME'} everybody has access: add a second guard with the rules for that case, <IfDefine !${guard.words[0] ?? 'NAME'}>`
          : 'move the lines out of the guard, or add a second guard for the other case',
        shownBy,
      },
    ]
  })
}

/**
 * True for `<IfModule !mod_rewrite.c>` and the like: the rules for servers without a module that provides the
 * same protection.
 */
function isFallback({ name, words }: SectionItem): boolean {
  return name.toLowerCase() === 'ifmodule' && /^!(?!.*(?:auth|access))/i.test(words[0] ?? '')
}

/** True if a guard for the opposite case follows or precedes one: the author has considered both. */
function hasCounterpart(files: LintedSite['files'], path: string, guard: SectionItem): boolean {
  const beside = itemsAround(files.document(path)?.items ?? [], guard)
  return beside.some(
    (item) => item.kind === 'section' && item !== guard && subjectOf(item) === subjectOf(guard) && item.text !== guard.text,
  )
}

function itemsAround(items: readonly DocumentItem[], wanted: SectionItem): readonly DocumentItem[] {
  if (items.includes(wanted)) return items
  for (const item of items) {
    const found = item.kind === 'section' ? itemsAround(item.items, wanted) : []
    if (found.length > 0) return found
  }
  return []
}

/** The subject of a guard: a module, a name, or the version, regardless of the value. */
function subjectOf({ name, words }: SectionItem): string {
  const kind = name.toLowerCase()
  return kind === 'ifversion' ? kind : `${kind} ${(words[0] ?? '').replace(/^!\s*/, '').toLowerCase()}`
}

const ABOUT_ACCESS: ReadonlySet<string> = new Set([
  'require',
  '<requireall',
  '<requireall>',
  '<requireany',
  '<requireany>',
  '<requirenone',
  '<requirenone>',
  'order',
  'allow',
  'deny',
  'satisfy',
  'authtype',
  'authmerging',
])
