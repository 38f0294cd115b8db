import { dirname } from 'node:path'
import { closesToStrangers } from './closes-to-strangers.ts'
import { guardsByModules, guardsOf } from './guards.ts'
import type { LintedSite } from './linted-site.ts'
import { type Observation, sectionsOf } from './observation.ts'
import { questionFor } from './real-files.ts'
import type { Found, Rule } from './rule.ts'

/** A .htaccess file that closes its folder, and that nobody reads, or not this part of it. */
export const unreadAccessFile: Rule = {
  id: 'GW003',
  about: 'a .htaccess file whose Deny or Require is not read where it lies, for AllowOverride',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    const found: Found[] = []
    for (const file of site.accessFiles.keys()) {
      const shownBy = await strangersRequest(site, file)
      if (shownBy !== null && wouldClose(site, file, shownBy)) found.push(told(site, file, shownBy))
    }
    return found
  },
}

/** A request for something beside the file that is granted, and of whose decision the file is no part. */
async function strangersRequest(site: LintedSite, file: string): Promise<Observation | null> {
  for (const folder of site.folders.filter(({ path }) => path === dirname(file))) {
    for (const name of ['', NOBODYS]) {
      const observation = await site.ask(questionFor(folder, name))
      if (observation?.stage.access !== 'granted') continue
      const part = observation.stage.sections.find(({ kind, place }) => kind === '.htaccess' && place.file === file)
      if (part === undefined || (part.require === null && part.hostRules === null)) return observation
    }
  }
  return null
}

const NOBODYS = 'gatewright-sample'

/** Whether the file would close the folder if all of it were heeded. */
function wouldClose({ server, files }: LintedSite, file: string, shownBy: Observation): boolean {
  const section = sectionsOf(shownBy).find((one) => one.file === file)
  const holds = section === undefined ? guardsByModules(server) : guardsOf(server, section)
  return closesToStrangers(files.document(file)?.items ?? [], holds)
}

function told({ files }: LintedSite, file: string, shownBy: Observation): Found {
  const isRead = sectionsOf(shownBy).some((section) => section.file === file)
  const first = files.document(file)?.items.find(({ kind }) => kind === 'directive' || kind === 'section')
  return {
    place: { file, line: first?.line ?? 1 },
    message: isRead
      ? 'what this file says about access is passed over: AllowOverride does not admit it here, or its module is missing, and Nonfatal keeps that quiet'
      : 'this file is not read, for AllowOverride is None here: the folder is open to strangers',
    hint: 'write AllowOverride AuthConfig Limit for the folder, or the rules into a <Directory> section of the configuration',
    shownBy,
  }
}
