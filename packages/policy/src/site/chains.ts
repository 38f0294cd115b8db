import type { PolicyServer } from '../policy-server.ts'
import type { Question } from '../question.ts'
import type { BoundSection, SectionReader } from './bound-section.ts'

/**
 * Sections that apply to a request together, in the order in which they are merged, and a request to which
 * they do.
 */
export interface Chain {
  readonly sections: readonly BoundSection[]
  readonly question: Question
}

/** The chains that requests really have, as reported by the server. */
export async function findChains(server: PolicyServer, reader: SectionReader, questions: readonly Question[]): Promise<Chain[]> {
  const chains = new Map<string, Chain>()
  for (const question of questions) {
    const { record } = await server.ask(question)
    for (const { steps } of record.requests) {
      const step = steps.findLast(({ step: { kind } }) => kind === 'sections')?.step
      if (step?.kind !== 'sections') continue
      const sections = step.sections.map((section) => reader.read(section))
      const key = sections.map((section) => section.key).join('\n')
      if (!chains.has(key)) chains.set(key, { sections, question })
    }
  }
  return [...chains.values()]
}
