import { isRunHere, type ProgramKind, programKindOfFile } from '@gatewright/core'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { Observation } from '../site/observation.ts'
import { namesIn } from '../site/real-files.ts'
import { servedFile } from './served-file.ts'

/** Maximum number of requested files of one kind: if many are closed, the others probably are, too. */
const MOST_TRIES = 100

/**
 * The server sends the source text of a program to every client, because no module that would execute it is
 * loaded.
 */
export const programSourceServed: Rule = {
  id: 'GW022',
  about: 'the source text of a program that is served',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    const { configFile, modules } = site.server.configuration
    const names = modules.map(({ name }) => name)
    const tries = new Map<ProgramKind, number>()
    const found = new Map<ProgramKind, Found>()
    for (const folder of site.walked.folders) {
      for (const name of namesIn(folder)) {
        const kind = programKindOfFile(name)
        if (kind === undefined || found.has(kind) || isRunHere(kind, names)) continue
        const tried = tries.get(kind) ?? 0
        if (tried >= MOST_TRIES) continue
        tries.set(kind, tried + 1)
        const shownBy = await servedFile(site, `${folder === '/' ? '' : folder}/${name}`)
        if (shownBy !== undefined) found.set(kind, findingOf(kind, shownBy, configFile))
      }
    }
    return found.values()
  },
}

function findingOf({ name, runners, extensions }: ProgramKind, shownBy: Observation, configFile: string): Found {
  return {
    place: { file: configFile, line: 0 },
    message: `${shownBy.stage.filename} is a program (${name}), and its source text is served to every client that requests it`,
    hint: `load a module that runs it (${runners.join(', ')}), or deny access to such files: <FilesMatch "\\.(${[...extensions].join('|')})$"> with Require all denied`,
    shownBy,
  }
}
