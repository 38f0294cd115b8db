import { RequestTooExpensive } from '@gatewright/api'
import { escapeReference, type ReferenceEscaping } from './escape-reference.ts'
import type { Run } from './run.ts'
import type { MapPart, Reference, Template, TemplatePart } from './template.ts'

/** In bytes. A rule that doubles a variable again and again would otherwise fill the memory. */
const LONGEST_TEXT = 1_048_576

/**
 * The value of a template for the current rule. While the run waits for a look-ahead or a program, the value
 * is meaningless: see {@link Run.waiting}.
 * @param escaping how references are escaped (flag B); null leaves them unchanged
 */
export function expand(run: Run, template: Template, escaping: ReferenceEscaping | null): string {
  if (template.constant !== null) return template.constant
  let text = ''
  for (const part of template.parts) {
    text += typeof part === 'string' ? part : expandPart(run, part, escaping)
    if (text.length > LONGEST_TEXT) throw new RequestTooExpensive('the result of the rule is too long', run.place)
  }
  return text
}

/** The value of one reference. */
export function expandPart(run: Run, part: Exclude<TemplatePart, string>, escaping: ReferenceEscaping | null): string {
  if (part.kind === 'reference') return reference(run, part, escaping)
  return part.kind === 'variable' ? part.variable(run, run.request) : mapped(run, part, escaping)
}

function reference(run: Run, { to, group }: Reference, escaping: ReferenceEscaping | null): string {
  const groups = to === 'rule' ? run.ruleGroups : run.conditionGroups
  const value = groups[group] ?? ''
  if (value === '' || escaping === null) return value
  const escaped = escapeReference(value, escaping)
  run.trace?.write(5, run.directory, `escaping backreference '${value}' to '${escaped}'`)
  return escaped
}

function mapped(run: Run, part: MapPart, escaping: ReferenceEscaping | null): string {
  const map = run.maps.get(part.map)
  const key = expand(run, part.key, escaping)
  const value = map === undefined ? null : map.find(key, run)
  if (value !== null) return value
  return part.otherwise === null ? '' : expand(run, part.otherwise, escaping)
}
