import type { SectionInfo, SectionKind } from '@gatewright/api'
import type { PolicyServer } from '../policy-server.ts'
import type { Question } from '../question.ts'
import { type AccessLines, accessLines, type GuardReading } from './access-lines.ts'
import type { ConfigFiles } from './config-files.ts'

/** A section, or a .htaccess file, with what stands in it. */
export interface BoundSection {
  readonly key: string
  readonly kind: SectionKind
  /** The key of the section around it, a .htaccess file included; null at the top level. */
  readonly parent: string | null
  readonly file: string
  /** 0 for a whole file. */
  readonly line: number
  readonly title: string
  readonly access: AccessLines
}

/** Sections that apply to a request together, in the order in which they are merged, and a request to which they do. */
export interface Chain {
  readonly sections: readonly BoundSection[]
  readonly question: Question
}

/** The chains that requests really meet: each is asked of the server. */
export async function findChains(server: PolicyServer, files: ConfigFiles, questions: readonly Question[]): Promise<Chain[]> {
  const known = new Map<string, BoundSection>()
  const chains = new Map<string, Chain>()
  for (const question of questions) {
    const { record } = await server.ask(question)
    for (const { steps } of record.requests) {
      const step = steps.findLast(({ step: { kind } }) => kind === 'sections')?.step
      if (step?.kind !== 'sections') continue
      const sections = step.sections.map((section) => bound(server, files, section, known))
      const key = sections.map((section) => section.key).join('\n')
      if (!chains.has(key)) chains.set(key, { sections, question })
    }
  }
  return [...chains.values()]
}

/** Reads what a section says in its own lines. */
export function bound(
  server: PolicyServer,
  files: ConfigFiles,
  section: SectionInfo,
  known: Map<string, BoundSection> = new Map(),
): BoundSection {
  const { file, line, title, kind } = section
  const key = `${file}:${line}`
  const found = known.get(key)
  if (found !== undefined) return found
  const items = line === 0 ? files.document(file)?.items : files.sectionAt(file, line)?.items
  const access =
    items === undefined
      ? { ...NOTHING, obstacles: [{ line, reason: 'its text was not found: it comes from a macro or from elsewhere' }] }
      : accessLines(items, guardReading(server, section))
  const parent = parentKey(section)
  const made: BoundSection = { key, kind, parent, file, line, title, access }
  known.set(key, made)
  return made
}

/** The server itself is no section that could apply or not. */
function parentKey({ parent }: SectionInfo): string | null {
  return parent === null || parent.kind === 'server' || parent.kind === 'VirtualHost' ? null : `${parent.file}:${parent.line}`
}

function guardReading({ snapshot }: PolicyServer, section: SectionInfo): GuardReading {
  const { file } = section
  const { generation } = snapshot
  const bodies = [
    ...generation.skippedBodies.filter((body) => body.file === file),
    ...snapshot.skippedIn(section),
    ...(section.parent === null ? [] : snapshot.skippedIn(section.parent)),
  ]
  const skipped = new Set(bodies.map(({ line }) => line))
  const times = generation.includes.filter(({ path }) => path === file).length
  return (line) => (skipped.has(line) ? (times > 1 ? 'both' : 'skipped') : 'read')
}

const NOTHING: AccessLines = { lines: [], authType: 'unsaid', obstacles: [] }
