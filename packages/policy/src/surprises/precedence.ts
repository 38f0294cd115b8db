import type { Surprise } from '../explanation.ts'
import type { SurpriseContext } from '../mistakes/context.ts'
import { decisionOf } from '../stages/decision.ts'
import { hostRulesInForce } from '../stages/in-force.ts'

/** AccessCompatPrecedence manual decided otherwise than httpd would. */
export async function precedence({ asHttpd, question, stage, recorded }: SurpriseContext): Promise<Surprise[]> {
  const setAside = recorded.steps.map(({ step }) => step).find((step) => step.kind === 'require set aside')
  if (setAside === undefined) return []
  const httpd = await asHttpd()
  const { response, record } = await httpd.ask(question)
  const [main] = record.requests
  const theirs = main === undefined ? null : decisionOf(main, response.status)
  if (theirs === null || theirs.access === stage.access) return []
  const { file, line } = setAside.root.place
  const own = hostRulesInForce(stage)
  return [
    {
      name: 'differs from httpd',
      text: `httpd also evaluates the Require directives of the folder and answers ${response.status} here; "AccessCompatPrecedence httpd" does the same.`,
      places: [...(own === null ? [] : [own.section.place]), { file, line }],
    },
  ]
}
