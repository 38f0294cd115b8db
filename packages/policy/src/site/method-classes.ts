import { allOf, anyOf, DENIED, line, not, type Requirement, requirementKey } from './requirement.ts'

/** Represents every method that no `<Limit>` names. */
export const OTHER_METHODS = '*'

/** Combines formulas by method into one. @param byMethod contains {@link OTHER_METHODS} */
export function acrossMethods(byMethod: ReadonlyMap<string, Requirement>): Requirement {
  const groups = Map.groupBy(byMethod, ([, requirement]) => requirementKey(requirement))
  const [only] = groups.values()
  if (groups.size === 1) return only[0][1]
  const named = [...byMethod.keys()].filter((method) => method !== OTHER_METHODS)
  const parts = [...groups.values()].map((group) => {
    const methods = group.map(([method]) => method)
    const requirement = group[0][1]
    if (requirement.kind === 'denied') return DENIED
    if (!methods.includes(OTHER_METHODS)) return allOf([line(`method ${methods.join(' ')}`), requirement])
    return allOf([not(`method ${named.filter((method) => !methods.includes(method)).join(' ')}`), requirement])
  })
  return anyOf(parts)
}

/**
 * The methods that can be used in a Require line: HEAD counts as GET.
 * @returns null for a method that is not built into httpd
 */
export function knownMethod(name: string): string | null {
  if (name === 'HEAD') return 'GET'
  return METHODS.has(name) ? name : null
}

const METHODS: ReadonlySet<string> = new Set(
  (
    'GET PUT POST DELETE CONNECT OPTIONS TRACE PATCH PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK VERSION-CONTROL CHECKOUT UNCHECKOUT ' +
    'CHECKIN UPDATE LABEL REPORT MKWORKSPACE MKACTIVITY BASELINE-CONTROL MERGE'
  ).split(' '),
)
