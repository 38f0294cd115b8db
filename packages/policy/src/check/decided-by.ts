import type { HostRulesPart, Place, RuleName, Stage, TreeNode } from '../explanation.ts'
import type { LoggedLine } from '../policy-server.ts'
import { hostRulesInForce } from '../stages/in-force.ts'

/** The deciding rule of a request. */
export interface DecidedBy {
  /** In one line, without the place. */
  readonly text: string
  /** The line of the configuration; null when no line did. */
  readonly place: Place | null
}

/**
 * The deciding rule among all stages of a request, in one line.
 * @param log the lines of the request in the error log
 */
export function decidedBy(stages: readonly Stage[], status: number, log: readonly LoggedLine[]): DecidedBy {
  const stage = decidingStage(stages, status)
  const said = log.findLast(({ level }) => level === 'error' || level === 'alert' || level === 'crit' || level === 'emerg')
  const logged = said === undefined ? '' : `: ${[said.cause, said.code, said.message].filter(Boolean).join(': ')}`
  if (stage === undefined) return { text: `answered before access control ran${logged}`, place: null }
  const { text, place } = ruleLine(stage)
  const words = text === '' ? WORDS[stage.rule.name] : (withoutRequire(stage) ?? WORDS[stage.rule.name])
  const shown = `${stage === stages[0] ? '' : `${stage.uri}: `}${words}${text === '' ? '' : `: ${text}`}`
  return { text: text === '' || stage.access === 'failed' ? `${shown}${logged}` : shown, place }
}

const WORDS: Readonly<Record<RuleName, string>> = {
  'answered earlier': 'answered before access control ran',
  'decided before': 'decided as the request that led here',
  'nothing applies': 'no rule applies, so access is granted',
  'AuthType without Require': 'AuthType is set without Require, so nothing is served',
  'a module refuses': 'a module',
  'host rules refuse': 'denied by Order, Allow and Deny',
  'satisfy any: host rules admit': 'granted by Allow, which is sufficient with Satisfy Any',
  'host rules stand alone': 'decided by Order, Allow and Deny alone',
  'require grants': 'granted',
  'require denies': 'denied',
  authentication: 'not authenticated',
  error: 'access control could not decide',
}

/** The reason if only host rules decide. */
function withoutRequire(stage: Stage): string | undefined {
  if (stage.rule.name === 'satisfy any: host rules admit' && hostRulesInForce(stage)?.rules.ruled === false)
    return 'granted, because no Order, Allow or Deny is combined with'
  if (stage.rule.name !== 'nothing applies') return undefined
  return hostRulesInForce(stage)?.rules.allowed === true
    ? 'granted by Order, Allow and Deny'
    : 'granted by Satisfy Any, because no Require denies it, despite'
}

/** The first stage that was denied; a sub-request only if nothing else explains the answer. */
function decidingStage(stages: readonly Stage[], status: number): Stage | undefined {
  const keptOut = stages.filter(({ access }) => access === 'refused' || access === 'challenged' || access === 'failed')
  const isDenial = status === 401 || status === 403 || status >= 500
  return keptOut.find(({ kind }) => kind !== 'sub-request') ?? (isDenial ? keptOut[0] : undefined) ?? stages[0]
}

function ruleLine(stage: Stage): DecidedBy {
  const tree = stage.answers.at(-1)?.tree ?? null
  switch (stage.rule.name) {
    case 'nothing applies':
    case 'host rules refuse':
    case 'satisfy any: host rules admit':
    case 'host rules stand alone':
      return hostLine(stage)
    case 'require grants':
      return nodeLine(tree === null ? undefined : deciding(tree, 'granted'))
    case 'require denies':
      return nodeLine(tree === null ? undefined : (deciding(tree, 'denied') ?? tree))
    case 'authentication':
      return nodeLine(tree === null ? undefined : deciding(tree, 'needs a user'))
    default:
      return { text: '', place: null }
  }
}

function hostLine(stage: Stage): DecidedBy {
  const found = hostRulesInForce(stage)
  if (found === null) return { text: '', place: null }
  const { section, rules } = found
  if (!rules.ruled) return { text: 'Satisfy Any', place: section.place }
  const word = decidingWord(rules)
  return word === undefined
    ? { text: `Order ${rules.order}`, place: section.place }
    : { text: `${word.list} from ${word.word}`, place: word.place }
}

/** The word that took precedence; none if Order decides about all other clients. */
function decidingWord({ words, allowed }: HostRulesPart): HostRulesPart['words'][number] | undefined {
  return words.find(({ list, matches }) => matches && (list === 'Allow') === allowed)
}

function nodeLine(node: TreeNode | undefined): DecidedBy {
  return node === undefined ? { text: '', place: null } : { text: node.title, place: node.place }
}

/** The first line with a verdict, or the innermost container with it if its lines have different ones. */
function deciding(node: TreeNode, verdict: TreeNode['verdict']): TreeNode | undefined {
  if (node.verdict !== verdict) return undefined
  for (const child of node.children) {
    const found = deciding(child, verdict)
    if (found !== undefined) return found
  }
  return node
}
