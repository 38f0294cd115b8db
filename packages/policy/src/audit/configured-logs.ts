import { type ConfigNode, splitWords } from '@gatewright/config'

/** The logs of decisions that a configuration writes. */
export interface ConfiguredLogs {
  /** Files as written, each once. */
  readonly files: readonly string[]
  /** Programs that take the lines, which nothing can be read from; with the `|`. */
  readonly programs: readonly string[]
  /** Whether grants are written, to at least one of them. */
  readonly hasGrants: boolean
}

/** What the lines of AuthzAuditLog name. */
export function configuredLogs(nodes: readonly ConfigNode[]): ConfiguredLogs {
  const lines = auditLines(nodes).filter(([target = 'off']) => target.toLowerCase() !== 'off')
  const targets = new Set(lines.map(([target = '']) => target))
  return {
    files: [...targets].filter((target) => !target.startsWith('|')),
    programs: [...targets].filter((target) => target.startsWith('|')),
    hasGrants: lines.some(([, ...options]) => !options.some((option) => option.toLowerCase() === 'refusals')),
  }
}

function auditLines(nodes: readonly ConfigNode[]): readonly (readonly string[])[] {
  return nodes.flatMap(({ name, text, children }) =>
    children !== null ? auditLines(children) : name.toLowerCase() === 'authzauditlog' ? [splitWords(text)] : [],
  )
}
