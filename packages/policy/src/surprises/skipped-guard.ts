import type { Surprise } from '../explanation.ts'
import type { SurpriseContext } from './context.ts'

/** `<IfModule>`, `<IfVersion>` and the like that keep access rules from being read, in the sections that apply. */
export function skippedGuard({ server, stage, recorded }: SurpriseContext): Surprise[] {
  const sections = recorded.steps.flatMap(({ step }) => (step.kind === 'sections' ? step.sections : []))
  const { skippedBodies } = server.snapshot.generation
  const inServerFiles = skippedBodies.filter(
    ({ parent }) =>
      parent !== null && stage.sections.some(({ place }) => place.file === parent.file && place.line === parent.line),
  )
  const inHtaccess = sections.flatMap((section) => server.snapshot.skippedIn(section))
  return [...new Set([...inServerFiles, ...inHtaccess])].flatMap(({ title, file, line, names }) => {
    const rules = [...names].filter((name) => ABOUT_ACCESS.has(name.toLowerCase()))
    if (rules.length === 0) return []
    return [
      {
        name: 'branch not read',
        text: `${title} does not hold here, so that ${rules.join(', ')} inside it ${rules.length === 1 ? 'is' : 'are'} not read.`,
        places: [{ file, line }],
      },
    ]
  })
}

const ABOUT_ACCESS: ReadonlySet<string> = new Set([
  'require',
  '<requireall',
  '<requireall>',
  '<requireany',
  '<requireany>',
  '<requirenone',
  '<requirenone>',
  'order',
  'allow',
  'deny',
  'satisfy',
  'authtype',
  'authmerging',
])
