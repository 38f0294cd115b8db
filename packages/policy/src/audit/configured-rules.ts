import type { ConfigNode } from '@gatewright/config'

/** A line of the configuration that grants or refuses access. */
export interface ConfiguredRule {
  /** As written, with one blank between name and text. */
  readonly rule: string
  readonly file: string
  readonly line: number
}

const RULES: ReadonlySet<string> = new Set(['require', 'allow', 'deny'])

/** All of them in the order of the files, those in containers and sections included. */
export function configuredRules(nodes: readonly ConfigNode[]): readonly ConfiguredRule[] {
  return nodes.flatMap(({ name, text, file, line, children }) => {
    if (children !== null) return configuredRules(children)
    return RULES.has(name.toLowerCase()) ? [{ rule: `${name} ${text.trim()}`, file, line }] : []
  })
}
