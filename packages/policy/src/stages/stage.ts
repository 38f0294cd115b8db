import type { SectionInfo } from '@gatewright/api'
import { hostDecisionOf, requireOpinionOf, requireTreeOf } from '@gatewright/api/peers'
import type { HostDecision, RequireNode } from '@gatewright/api/tracing'
import type { HostRulesPart, Place, SectionPart, Stage } from '../explanation.ts'
import type { PolicyServer } from '../policy-server.ts'
import type { RecordedRequest, Recorder } from '../recorder.ts'
import { decisionOf } from './decision.ts'
import { nodeVerdict, requireLines, treeNode } from './tree-node.ts'

/** The record of one request in terms of the configuration. Evaluates each of its sections alone. */
export async function describeStage(
  server: PolicyServer,
  record: Recorder,
  recorded: RecordedRequest,
  status: number,
): Promise<Stage> {
  const { request, steps } = recorded
  const only = <K extends StepKind>(kind: K): StepOf<K>[] =>
    steps.map(({ step }) => step).filter((step): step is StepOf<K> => step.kind === kind)
  const roots = steps.flatMap(({ step }) =>
    (step.kind === 'require' || step.kind === 'require set aside') && step.root !== null ? [step.root] : [],
  )
  // If the tree was not evaluated, it is in force nevertheless.
  const root = roots.at(-1) ?? server.configuration.offered(requireTreeOf)?.(request)?.root ?? null
  const sections: SectionPart[] = []
  for (const section of only('sections').at(-1)?.sections ?? [])
    sections.push(await describeSection(server, record, recorded, section, root))
  const { access, rule } = decisionOf(recorded, status)
  return {
    kind: request.main !== null ? 'sub-request' : request.prev !== null ? 'redirect' : 'request',
    uri: recorded.uri,
    filename: recorded.filename === '' ? null : recorded.filename,
    user: request.user,
    authType: request.authType,
    conditions: only('condition').map(({ section, holds }) => ({ title: section.title, place: placeOf(section), holds })),
    sections,
    answers: steps.flatMap(({ step, values }) =>
      step.kind === 'require'
        ? [
            {
              moment: step.moment,
              verdict: nodeVerdict(step.status),
              tree: step.root === null ? null : treeNode(step.root, values),
            },
          ]
        : [],
    ),
    access,
    rule,
    againBecauseOf: only('decided again').flatMap(({ modules }) => modules.map((source) => source.replace(/\.c$/, ''))),
  }
}

type Step = RecordedRequest['steps'][number]['step']
type StepKind = Step['kind']
type StepOf<K extends StepKind> = Extract<Step, { kind: K }>

export function placeOf({ file, line }: { readonly file: string; readonly line: number }): Place {
  return { file, line }
}

async function describeSection(
  server: PolicyServer,
  record: Recorder,
  { request, steps }: RecordedRequest,
  section: SectionInfo,
  root: RequireNode | null,
): Promise<SectionPart> {
  const { configuration } = server
  const [hostDecision, opinion] = await server.quietly(
    async () =>
      [
        (await configuration.offered(hostDecisionOf)?.(request, section)) ?? null,
        (await configuration.offered(requireOpinionOf)?.(request, section)) ?? null,
      ] as const,
  )
  const values = record.takeValues(request)
  const inForce = steps.some(({ step }) => step.kind === 'host rules' && step.decision.section === section)
  return {
    kind: section.kind,
    title: section.title,
    place: placeOf(section),
    hostRules: hostDecision === null ? null : { ...hostRules(hostDecision), inForce },
    require:
      opinion === null
        ? null
        : {
            tree: treeNode(opinion.root, values),
            inForce: root !== null && requireLines(root).some(({ place }) => place.section === section),
          },
  }
}

function hostRules({ order, satisfy, ruled, words, allowed }: HostDecision): HostRulesPart {
  return {
    order,
    satisfy,
    ruled,
    words: words.map(({ list, word, file, line, matches }) => ({
      list,
      word,
      place: { file, line },
      matches,
    })),
    allowed,
  }
}
