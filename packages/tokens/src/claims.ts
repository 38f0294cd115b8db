import type { JsonObject } from './fetch-json.ts'
import { isJsonObject } from './fetch-json.ts'

/**
 * The values of a claim as texts: of a list its members, of a text with blanks such as `scope` its words too.
 * @param how `whole` for texts without their words
 * @param name a claim; with dots, a member of nested ones: `realm_access.roles`. A claim whose own name has dots counts first
 */
export function claimValues(claims: JsonObject, name: string, how: 'words' | 'whole' = 'words'): readonly string[] {
  const value = find(claims, name)
  const members: readonly unknown[] = Array.isArray(value) ? value : [value]
  return members.flatMap((member) => textsOf(member, how))
}

function find(value: unknown, name: string): unknown {
  if (!isJsonObject(value)) return undefined
  if (Object.hasOwn(value, name)) return value[name]
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const outer = name.slice(0, dot)
    if (!Object.hasOwn(value, outer)) continue
    const found = find(value[outer], name.slice(dot + 1))
    if (found !== undefined) return found
  }
  return undefined
}

/** UTF-8 as bytes, as configuration files have it. */
function textsOf(value: unknown, how: 'words' | 'whole'): readonly string[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (typeof value !== 'string') return []
  const bytes = Buffer.from(value, 'utf8').toString('latin1')
  return how === 'words' && bytes.includes(' ') ? [bytes, ...bytes.split(' ')] : [bytes]
}
