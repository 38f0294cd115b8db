import type { Rule } from '../mistakes/rule.ts'
import { misnamedPlaces } from './misnamed-places.ts'
import { filesInCapitals, typesInCapitals } from './names-in-capitals.ts'

/** A section that closes a name in one letter case, although the same name is served in another. */
export const letterCase: Rule = {
  id: 'GW006',
  about: 'a section that misses its target because of letter case',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    return [...(await misnamedPlaces(site)), ...(await filesInCapitals(site)), ...(await typesInCapitals(site))]
  },
}
