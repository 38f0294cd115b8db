import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Claim, type Contradiction, contradiction, obstacleTo, type PolicyServer, type Variant } from '@gatewright/policy'
import { HttpdClient } from './ask-httpd.ts'
import { type HttpdProcess, startHttpd } from './httpd-process.ts'
import type { HttpdProgram } from './httpd-program.ts'
import { writeHttpdRoot } from './httpd-root.ts'
import { type LocalPlaces, localPlaces } from './local-places.ts'
import { OracleError } from './oracle-error.ts'

/** The answers of another server to claims. */
export interface Replay {
  readonly version: string
  /** Its answer to the proof's counter-example; null if there is none. */
  readonly counterExample: 'confirmed' | 'contradicted' | 'not asked' | null
  /** The number of claims that both sides confirmed. */
  readonly confirmed: number
  readonly contradictions: readonly Contradiction[]
  /** The number of claims that could not be tested, by reason. */
  readonly skipped: ReadonlyMap<string, number>
}

export interface ReplayOptions {
  readonly program: HttpdProgram
  readonly before: Variant
  readonly after: Variant
  readonly counterExample: Claim | null
  /** Further claims. */
  readonly claims: readonly Claim[]
  open(variant: Variant): Promise<PolicyServer>
}

/** Maximum number of concurrent requests. */
const AT_ONCE = 8

/**
 * Tests claims with an Apache httpd that serves both configurations, each from its own ServerRoot.
 * @throws OracleError if it is not available
 */
export async function replay({ program, before, after, counterExample, claims, open }: ReplayOptions): Promise<Replay> {
  const skipped = new Map<string, number>()
  const asked = [...(counterExample === null ? [] : [counterExample]), ...claims].filter((claim) => {
    const reason = obstacleTo(claim)
    if (reason !== null) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    return reason === null
  })
  const verdict = (contradictions: readonly Contradiction[]): Replay => ({
    version: program.version,
    counterExample: counterExample && verdictOn(counterExample, asked, contradictions),
    confirmed: asked.length - contradictions.length,
    contradictions,
    skipped,
  })
  if (asked.length === 0) return verdict([])
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-oracle-'))
  // The user that httpd runs as needs access.
  chmodSync(folder, 0o755)
  const sides: ServedSide[] = []
  try {
    for (const [name, variant] of [
      ['before', before],
      ['after', after],
    ] as const)
      sides.push(await serve(join(folder, name), { program, variant, claims: asked, open }))
    return verdict(await askAll(asked, sides))
  } finally {
    for (const { client } of sides) client.close()
    await Promise.all(sides.map(({ process }) => process.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

function verdictOn(
  one: Claim,
  asked: readonly Claim[],
  contradictions: readonly Contradiction[],
): NonNullable<Replay['counterExample']> {
  if (!asked.includes(one)) return 'not asked'
  return contradictions.some(({ claim }) => claim === one) ? 'contradicted' : 'confirmed'
}

interface ServedSide {
  readonly client: HttpdClient
  readonly process: HttpdProcess
}

async function serve(
  root: string,
  { program, variant, claims, open }: Pick<ReplayOptions, 'program' | 'claims' | 'open'> & { readonly variant: Variant },
): Promise<ServedSide> {
  const server = await open(variant)
  try {
    const places = await placesOf(server, claims)
    mkdirSync(root, { mode: 0o755 })
    writeHttpdRoot(root, { server, variant, claims }, { program, places })
    const [{ address, port }] = places.listens
    return { client: new HttpdClient(places), process: await startHttpd(program, { root, address, port }) }
  } finally {
    await server.close()
  }
}

function placesOf({ configuration }: PolicyServer, claims: readonly Claim[]): Promise<LocalPlaces> {
  const hosts = configuration.virtualHosts.flatMap(({ addresses }) => addresses)
  return localPlaces(
    [...hosts.map(({ address }) => address), ...claims.map(({ question }) => question.localAddress)].filter((one) => one !== '*'),
    [...claims.map(({ question }) => question.localPort), ...hosts.map(({ port }) => port)].filter((port) => port !== 0),
  )
}

async function askAll(claims: readonly Claim[], [before, after]: readonly ServedSide[]): Promise<Contradiction[]> {
  const found: Contradiction[] = []
  const waiting = claims[Symbol.iterator]()
  const askOneByOne = async (): Promise<void> => {
    for (const claim of waiting) {
      const [old, now] = await Promise.all([before.client.ask(claim.question), after.client.ask(claim.question)])
      const wrong = contradiction(claim, old, now)
      if (wrong !== null) found.push(wrong)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, askOneByOne))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OracleError(`httpd stopped answering: ${reason}`, 'correct the cause, or omit --oracle')
  }
  return found
}
