import type { Place } from '../explanation.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import { accessText } from '../site/access-text.ts'
import type { LintedSite } from '../site/linted-site.ts'
import { type Observation, sectionsOf } from '../site/observation.ts'
import { itemsAt } from '../site/section-at.ts'
import { guardsOf } from './guards.ts'

/** `<Limit GET POST>` around access rules: requests with another method are granted. */
export const limitLeavesMethods: Rule = {
  id: 'GW017',
  about: 'access rules in <Limit> that another method bypasses',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    const found: Found[] = []
    for (const observation of site.observations) found.push(...(await open(site, observation)))
    return found
  },
}

/** Methods that a program may treat as GET; the last is undefined. */
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OTHER']

async function open(site: LintedSite, observation: Observation): Promise<Found[]> {
  const { stage, question } = observation
  if (stage.access !== 'refused' && stage.access !== 'challenged') return []
  const limit = limitOf(site, observation)
  if (limit === null) return []
  for (const method of METHODS) {
    const shownBy = await site.ask({ ...question, method })
    if (shownBy?.stage.access !== 'granted') continue
    return [
      {
        place: limit.place,
        // A file rejects the method by itself; a program at the same path may accept it.
        ...(shownBy.status === 405 && { severity: 'warning' as const }),
        message: `${limit.title} exempts ${method === 'OTHER' ? 'undefined methods, which programs treat as GET,' : method} from these rules`,
        hint: 'move the rules out of <Limit>, or deny the other methods with <LimitExcept> and the same methods',
        shownBy,
      },
    ]
  }
  return []
}

function limitOf(
  { server, files }: LintedSite,
  observation: Observation,
): { readonly title: string; readonly place: Place } | null {
  for (const section of [...sectionsOf(observation)].reverse()) {
    const lines = accessText(itemsAt(files, section), guardsOf(server, section))
    const limit = lines.find(({ limits }) => limits.length > 0)?.limits[0]
    if (limit !== undefined)
      return { title: `<${limit.name} ${limit.text}>`, place: { file: section.file, line: limit.line ?? 0 } }
  }
  return null
}
