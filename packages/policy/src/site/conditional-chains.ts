import type { PolicyServer } from '../policy-server.ts'
import type { BoundSection, SectionReader } from './bound-section.ts'
import type { Chain } from './chains.ts'

/** Maximum number of conditions that are combined. */
const MAX_CONDITIONS = 4

/**
 * The variants of chains if the conditions of `<If>` sections are true or false: each in every combination
 * with the others, because it is unknown when they are true. Chains with more conditions are skipped, and
 * their sections count as unreached.
 */
export function withConditions(
  server: PolicyServer,
  reader: SectionReader,
  chains: readonly Chain[],
): { readonly chains: readonly Chain[]; readonly conditional: readonly BoundSection[]; readonly complete: boolean } {
  const ofServer = server.configuration.sections.filter(({ kind }) => kind === 'If')
  const all = [...chains.flatMap(({ sections }) => sections), ...ofServer.map((section) => reader.read(section))]
  const conditional = [...new Set(all)].filter(
    ({ kind, access }) => kind === 'If' && (access.lines.length > 0 || access.obstacles.length > 0),
  )
  if (conditional.length === 0) return { chains, conditional, complete: true }
  if (conditional.length > MAX_CONDITIONS) return { chains, conditional, complete: false }
  const varied = new Map<string, Chain>()
  for (const { sections, question } of chains) {
    const certain = sections.filter((section) => !conditional.includes(section))
    const keys = new Set(certain.map(({ key }) => key))
    const possible = conditional.filter(({ parent }) => parent === null || keys.has(parent))
    for (let bits = 0; bits < 2 ** possible.length; bits++) {
      const chain = [...certain, ...possible.filter((_, index) => (bits >> index) & 1)]
      varied.set(chain.map(({ key }) => key).join('\n'), { question, sections: chain })
    }
  }
  return { chains: [...varied.values()], conditional, complete: true }
}
