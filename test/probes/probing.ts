import { type Conversation, converse } from './conversation.ts'
import { isPassed, tell } from './judge.ts'
import { LETTERS, request } from './message.ts'
import type { Probe } from './probe.ts'
import type { ProbedSite } from './probed-site.ts'
import type { Contestant } from './servers/contestant.ts'

/** The result of one probe; `left out` if the server does not support the feature. */
export interface Result {
  readonly probe: Probe
  readonly verdict: 'passed' | 'failed' | 'left out'
  /** For people: `400 closed`. */
  readonly came: string
}

/** So many connections at a time. */
const AT_ONCE = 16
/**
 * ms without data after which a server counts as silent; longer than any server waits for the last bytes of a
 * client.
 */
const PATIENCE = 7000

/** Starts a server, sends it all probes, and ends it. The results are in the order of the probes. */
export async function probe(contestant: Contestant, site: ProbedSite, probes: readonly Probe[]): Promise<Result[]> {
  const { port, stop } = await contestant.start(site)
  try {
    const values = await valuesOf(port)
    const results: Result[] = []
    const waiting = [...probes.entries()]
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, one] = next
        results[index] = await resultOf(one, contestant, { port, values, patience: PATIENCE })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return results
  } finally {
    await stop()
  }
}

async function resultOf(one: Probe, { lacks }: Contestant, options: Parameters<typeof converse>[1]): Promise<Result> {
  if (one.needs !== undefined && lacks.includes(one.needs)) return { probe: one, verdict: 'left out', came: '' }
  const came: Conversation = await converse(one, options)
  return { probe: one, verdict: isPassed(one, came) ? 'passed' : 'failed', came: tell(came) }
}

/** The server's own values for the file of the probes. */
async function valuesOf(port: number): Promise<Map<string, string>> {
  const asking: Probe = {
    id: 'values',
    section: '',
    level: 'MUST',
    title: '',
    sends: [request(`GET ${LETTERS}`, 'Connection: close')],
    outcomes: [{ answers: [{}] }],
  }
  const { answers } = await converse(asking, { port, patience: PATIENCE, values: new Map() })
  const etag = answers[0]?.fields.get('etag') ?? ''
  const modified = answers[0]?.fields.get('last-modified') ?? ''
  return new Map([
    ['etag', etag],
    ['opaque', etag.replace(/^W\/|"/g, '')],
    ['modified', modified],
  ])
}
