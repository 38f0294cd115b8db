import { readFileSync, statSync } from 'node:fs'
import type { PolicyServer, Reply } from '../policy-server.ts'
import type { Question } from '../question.ts'
import { ConfigFiles } from './config-files.ts'
import { type Observation, observe, observed } from './observation.ts'
import { type AskedFolder, askedFolders, questionsForRealFiles } from './real-files.ts'
import { sampleRequests, urlMappings } from './sampled-requests.ts'
import { serverTexts } from './server-texts.ts'
import { type Walked, walk } from './walk.ts'

/** A configuration with the answers to strangers without credentials. */
export interface LintedSite {
  readonly server: PolicyServer
  /** Server files and .htaccess files. */
  readonly files: ConfigFiles
  /** Folders and .htaccess files that are there. */
  readonly walked: Walked
  /** Folders of requested URLs. */
  readonly folders: readonly AskedFolder[]
  /** URLs that lead to folders by DocumentRoot and Alias. */
  readonly mappings: readonly { readonly url: string; readonly folder: string }[]
  /** One GET request for every set of sections that apply together, preferably for an existing file. */
  readonly observations: readonly Observation[]
  /** Decides another request. */
  ask(question: Question): Promise<Observation | null>
}

export async function lintedSite(server: PolicyServer): Promise<LintedSite> {
  const walked = walk(server)
  const files = new ConfigFiles(
    new Map([...serverTexts(server.configuration), ...accessTexts(server, walked.accessFiles.keys())]),
  )
  const accessFolders = [...walked.accessFiles.values()]
  const samples = sampleRequests(server.configuration, files, { accessFolders, unreached: new Set() })
  const best = new BestOfChains()
  for (const question of samples.questions) if (!MADE_UP.test(question.target)) best.take(question, await server.ask(question))
  const folders = askedFolders(best.asked)
  for (const question of folders.flatMap(questionsForRealFiles)) best.take(question, await server.ask(question))
  const observations: Observation[] = []
  for (const { question, reply } of best.chosen()) {
    const observation = await observed(server, question, reply)
    if (observation !== null) observations.push(observation)
  }
  const mappings = urlMappings(server.configuration, files)
  return { server, files, walked, folders, mappings, observations, ask: (question) => observe(server, question) }
}

/** Places of folders without a URL: no request reaches them. */
const MADE_UP = /^\/\.gatewright-folder-/

interface Asked {
  readonly question: Question
  readonly reply: Reply
}

/** A request for each set of sections, one for a file that is there before others. */
class BestOfChains {
  readonly asked: { readonly question: Question; readonly filename: string }[] = []
  readonly #chains = new Map<string, Asked>()

  take(question: Question, reply: Reply): void {
    const [main] = reply.record.requests
    if (main === undefined) return
    this.asked.push({ question, filename: main.filename })
    const sections = main.steps.findLast(({ step: { kind } }) => kind === 'sections')?.step
    if (sections?.kind !== 'sections') return
    const key = [question.host, question.localPort, ...sections.sections.map(({ file, line }) => `${file}:${line}`)].join('\n')
    const known = this.#chains.get(key)
    if (known === undefined || rank({ question, reply }) < rank(known)) this.#chains.set(key, { question, reply })
  }

  chosen(): Asked[] {
    return [...this.#chains.values()].sort((a, b) => rank(a) - rank(b))
  }
}

/** Smaller for a request that is the better example. */
function rank({ question, reply }: Asked): number {
  const isHidden = /\/\.[^/]*$/.test(question.target)
  const isThere = reply.record.requests.at(0)?.request.fileInfo?.kind === 'file'
  const { status } = reply.response
  return (status === 200 ? 0 : status < 400 || status === 404 ? 4 : 8) + (isThere ? 0 : 2) + (isHidden ? 1 : 0)
}

function accessTexts({ configuration }: PolicyServer, paths: Iterable<string>): [string, string][] {
  return [...paths].flatMap((path) => {
    const text = configuration.assumedAccessFiles.get(path) ?? readable(path)
    return text === null ? [] : [[path, text]]
  })
}

/**
 * Null for a file that this user cannot read, and for anything but a regular file, because reading a pipe
 * would never end. The server then reports it.
 */
function readable(path: string): string | null {
  const name = Buffer.from(path, 'latin1')
  try {
    return statSync(name).isFile() ? readFileSync(name, 'latin1') : null
  } catch {
    return null
  }
}
