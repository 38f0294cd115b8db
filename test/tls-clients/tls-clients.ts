import { setTimeout as pause } from 'node:timers/promises'
import { findProgram } from '../fixtures/find-program.ts'
import { CHROMIUM_CLIENT } from './chromium-client.ts'
import { type ClientsSite, PAGE, startClientsSite, USER } from './clients-site.ts'
import { COMMAND_CLIENTS } from './command-clients.ts'
import { PROGRAM_CLIENTS } from './program-clients.ts'
import type { TlsClient } from './tls-client.ts'
import { type Answer, type Expectation, expectationsFor } from './visits.ts'

const CLIENTS: readonly TlsClient[] = [...COMMAND_CLIENTS, ...PROGRAM_CLIENTS, CHROMIUM_CLIENT]

/** npm run tls-clients: protected pages with usual clients. Arguments are parts of names of clients. */
async function main(words: readonly string[]): Promise<number> {
  const chosen = CLIENTS.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase())),
  )
  if (chosen.length === 0) {
    console.error(
      `tls-clients: no client is called ${words.join(' or ')}\nhint: there are ${CLIENTS.map(({ name }) => name).join(', ')}`,
    )
    return 2
  }
  const ends: (() => Promise<void>)[] = []
  let [passed, failed] = [0, 0]
  try {
    const site = await startClientsSite({ teardown: (end) => void ends.push(end) })
    for (const client of chosen) {
      const reason = whySkipped(client)
      if (reason !== null) {
        console.log(`skipped: ${client.name}: ${reason}`)
        continue
      }
      console.log(`--- ${client.name}`)
      if (client.renegotiatesNot !== undefined) console.log(`note: ${client.renegotiatesNot}`)
      for (const [about, complaint] of await examine(client, site)) {
        if (complaint === null) passed++
        else failed++
        console.log(complaint === null ? `ok      ${about}` : `FAILED  ${about}: ${complaint}`)
      }
    }
  } finally {
    for (const end of ends.reverse()) await end()
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

function whySkipped({ needs, packages, obstacle }: TlsClient): string | null {
  const missing = needs.filter((names) => findProgram(...names) === null)
  if (missing.length > 0) return `${missing.flat().join(', ')} not installed; apt-get install ${packages}`
  return obstacle?.() ?? null
}

/** @returns the expectations of a client, each with what is wrong, or null */
async function examine(client: TlsClient, site: ClientsSite): Promise<readonly (readonly [string, string | null])[]> {
  const expectations = expectationsFor(client.name.replaceAll(/\W+/g, '-'), site.ports, client.renegotiatesNot === undefined)
  let answers: readonly Answer[]
  try {
    answers = await client.visitAll(
      expectations.map(({ visit }) => visit),
      site,
    )
  } catch (error) {
    return expectations.map(({ about }) => [about, error instanceof Error ? error.message : String(error)])
  }
  const results: [string, string | null][] = []
  for (const [index, expectation] of expectations.entries())
    results.push([expectation.about, await complaintAbout(expectation, answers[index], client, site)])
  return results
}

async function complaintAbout(
  { visit, status }: Expectation,
  answer: Answer,
  client: TlsClient,
  { server }: ClientsSite,
): Promise<string | null> {
  if (status === 'refused') return answer.status === null || answer.status === 403 ? null : `answered with ${answer.status}`
  const isHidden = status === 401 && answer.status === null && client.hidesChallenges === true
  if (answer.status !== status && !isHidden) return `${answer.status ?? 'no answer'}, not ${status}`
  if (status === 200 && answer.body !== PAGE) return `another page: ${JSON.stringify(answer.body.slice(0, 80))}`
  const wanted = [
    `?${visit.run}`,
    String(status),
    `TLSv${visit.version}`,
    // A connection that could not ask has none.
    visit.certificate === null || (status === 403 && visit.url.includes('/folder/')) ? '-' : visit.certificate,
    visit.withPassword ? USER : '-',
  ].join(' ')
  let lines: readonly string[] = []
  // A line is written when the response has been sent, so it may follow a little later than the answer.
  for (let tries = 0; tries < 400; tries++) {
    lines = server
      .read('logs/access_log')
      .split('\n')
      .filter((line) => line.startsWith(`?${visit.run} `))
    if (lines.includes(wanted)) return null
    await pause(25)
  }
  return `logged ${JSON.stringify(lines)}, not ${wanted}`
}

process.exitCode = await main(process.argv.slice(2))
