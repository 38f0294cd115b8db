import type { WhoJob } from '@gatewright/language-server'
import { NO_COLOURS, questionForSection, whoGetsIn, whoText } from '@gatewright/policy'
import { analysedSite } from './analysed-site.ts'

/** Who gets an answer from the place of a section. @returns a table for people, or why there is none */
export async function whoJob(job: WhoJob): Promise<string> {
  const site = await analysedSite(job)
  if (site.configuration === null) return `The configuration does not load: ${site.mistakes.at(-1)?.message ?? 'see its errors'}`
  const server = await site.open()
  try {
    const question = await questionForSection(server, job)
    if (question === null) return 'No request reaches this section: nothing that the server maps leads there.'
    return whoText(await whoGetsIn(server, question), NO_COLOURS)
  } finally {
    await server.close()
  }
}
