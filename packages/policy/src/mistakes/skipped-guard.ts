import type { Surprise } from '../explanation.ts'
import type { SurpriseContext } from './context.ts'

/**
 * `<IfModule>`, `<IfVersion>` and the like that keep access rules from being read, in the sections that
 * apply.
 */
export function skippedGuard(context: SurpriseContext): Surprise[] {
  return skippedBodies(context).flatMap(({ title, file, line, names }) => {
    const rules = [...names].filter((name) => ABOUT_ACCESS.has(name.toLowerCase()))
    if (rules.length === 0) return []
    return [
      {
        name: 'branch not read',
        text: `${title} does not hold here, so ${rules.join(', ')} inside it ${rules.length === 1 ? 'is' : 'are'} not read.`,
        places: [{ file, line }],
      },
    ]
  })
}

/** What false conditions kept from being read in the sections that apply to a request. */
export function skippedBodies({
  server,
  stage,
  recorded,
}: Pick<SurpriseContext, 'server' | 'stage' | 'recorded'>): readonly SkippedBody[] {
  const sections = recorded.steps.flatMap(({ step }) => (step.kind === 'sections' ? step.sections : []))
  const { skippedBodies } = server.snapshot.generation
  const applies = ({ parent }: SkippedBody): boolean =>
    parent !== null && stage.sections.some(({ place }) => place.file === parent.file && place.line === parent.line)
  const inServerFiles = skippedBodies.filter(applies)
  // At the top of a .htaccess file, no section encloses a guard, and the file applies.
  const inHtaccess = sections
    .flatMap((section) => server.snapshot.skippedIn(section))
    .filter((body) => body.parent === null || applies(body))
  return [...new Set([...inServerFiles, ...inHtaccess])]
}

type SkippedBody = ReturnType<SurpriseContext['server']['snapshot']['skippedIn']>[number]

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
