// npm run oracle:migrate [-- --seed N --first I --count M --batch B --claims C --port P]: makes random configurations of
// 2.2, migrates each, proves the result, and checks the claims of the proof with Apache httpd, which serves the old text
// and the new one. A claim is wrong if httpd decides its request differently on either side. Every second configuration
// is read with --intent documented, so that counter-examples are claimed as well. Needs apache2 2.4.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Claim, Question } from '@gatewright/policy'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { type Apache, type ApacheAnswer, askApache, startApache } from './apache.ts'
import { ConfigGenerator, placed } from './config-generator.ts'
import { type MigratedCase, migratedCase } from './migrated-case.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    count: { type: 'string', default: '200' },
    batch: { type: 'string', default: '100' },
    claims: { type: 'string', default: '12' },
    port: { type: 'string' },
  },
})

/** What marks a case with an <If>. */
const CONDITION = '%{HTTP:X-If}'
const PASSWORDS: Readonly<Record<string, string>> = { alice: 'alicepw', bob: 'bobpw' }
const statuses = new Map<number, number>()
const count = { equal: 0, different: 0, whole: 0, broken: 0, classes: 0, requests: 0, conditional: 0, wrong: 0 }
const port = options.port === undefined ? await freePort() : Number(options.port)
const first = Number(options.first)
const end = first + Number(options.count)

for (let from = first; from < end; from += Number(options.batch))
  await runBatch(from, Math.min(end, from + Number(options.batch)))

console.log(
  `seed ${options.seed}: ${count.equal} equal, ${count.different} not equal, ${count.whole} without an old line left, ${count.broken} that do not load; ` +
    `${count.classes} classes decided; ${count.requests} requests put to httpd, on both sides, and ${count.conditional} under the condition of an <If>`,
)
console.log(
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${times} x ${status}`)
    .join(', '),
)
console.log(`${end - first - count.wrong} passed, ${count.wrong} failed`)
process.exitCode = count.wrong > 0 || count.requests === 0 ? 1 : 0

interface Replayed extends MigratedCase {
  readonly index: number
}

async function runBatch(from: number, to: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'oracle-migrate-'))
  try {
    chmodSync(root, 0o755)
    for (const folder of ['old', 'new', 'logs']) mkdirSync(join(root, folder))
    writeFileSync(join(root, 'users'), 'bob:{SHA}KXV5lfOmXj1HOy0eE1tRGdIyUHw=\nalice:{SHA}pXcenXUnxGz6jD4dFmSXV63E49g=\n')
    writeFileSync(join(root, 'groups'), 'staff: alice\n')
    const cases: Replayed[] = []
    for (let index = from; index < to; index++) {
      const one = await makeCase(root, index)
      if (one !== null) cases.push(one)
    }
    await replay(root, cases)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function makeCase(root: string, index: number): Promise<Replayed | null> {
  const config = new ConfigGenerator(new Random(Number(options.seed) * 1_000_003 + index)).config(`p${index}`)
  const intent = index % 2 === 0 ? 'exact' : 'documented'
  const guards = index % 3 === 0 ? 'collapsed' : 'kept'
  const made = await migratedCase(placed(config, root), { root, intent, guards, limit: 1500, claims: Number(options.claims) })
  if (typeof made === 'string') {
    count.broken++
    console.log(`p${index} does not load: ${made}`)
    return null
  }
  count.classes += made.proof.classes
  count[made.proof.difference === null ? 'equal' : 'different']++
  if (made.migration.left.length === 0) count.whole++
  const opened = openedBans(made)
  if (opened.length > 0) {
    count.wrong++
    console.log(`p${index}: a ban in the new dialect is opened\n${opened.join('\n')}`)
  }
  if (made.proof.difference !== null && index % 2 === 0) {
    count.wrong++
    console.log(`p${index}: exact, and yet not equal\n${JSON.stringify(made.proof.difference)}`)
  }
  return { index, ...made }
}

/** Files whose sections that hold nothing but `Require all denied` are fewer than before. */
function openedBans({ migration }: MigratedCase): string[] {
  const bans = (text: string): number => text.match(/<Files(?:Match)? [^>]*>\s*Require all denied\s*<\/Files/g)?.length ?? 0
  return migration.files.filter(({ before, after }) => bans(after) < bans(before)).map(({ after }) => after)
}

/** Puts the claims of all cases to one httpd. */
async function replay(root: string, cases: readonly Replayed[]): Promise<void> {
  const texts: Record<'old' | 'new', string[]> = { old: [], new: [] }
  for (const { migration } of cases)
    for (const [side, variant] of [
      ['old', migration.before],
      ['new', migration.after],
    ] as const)
      for (const [path, text] of variant.texts) {
        const moved = text.replaceAll(`${root}/old`, `${root}/${side}`)
        if (path === join(root, 'case.conf')) texts[side].push(moved)
        else write(path.replace(`${root}/old`, `${root}/${side}`), moved)
      }
  for (const { index } of cases)
    for (const side of ['old', 'new'])
      for (const below of ['a/b', 'c', 'd']) mkdirSync(join(root, side, `p${index}`, below), { recursive: true })
  const apache: Apache = await startApache(root, port, { old: texts.old.join(''), new: texts.new.join('') })
  try {
    for (const one of cases) await replayCase(one)
  } finally {
    await apache.stop()
  }
}

async function replayCase({ index, claims, migration, proof }: Replayed): Promise<void> {
  const wrong: string[] = []
  const isConditional = [...migration.before.texts.values()].some((text) => text.includes(CONDITION))
  for (const claim of claims) {
    if (!isReplayable(claim)) continue
    count.requests++
    if (isConditional && proof.difference === null && index % 2 === 0) wrong.push(...(await differenceUnderCondition(claim)))
    const [old, now] = await Promise.all([ask('old', claim), ask('new', claim)])
    statuses.set(old.status, (statuses.get(old.status) ?? 0) + 1)
    for (const [side, got, said] of [
      ['old', old, claim.before],
      ['new', now, claim.after],
    ] as const)
      if (got.status !== said.status || (got.challenge === '') !== (said.challenge === ''))
        wrong.push(
          `${side}: httpd ${got.status}, claimed ${said.status}: ${JSON.stringify(claim.question)} ${claim.variables.join(' ')}`,
        )
  }
  if (wrong.length === 0) return
  count.wrong++
  console.log(
    `--- p${index}\n${wrong.slice(0, 4).join('\n')}\n${migration.files.map(({ before, after }) => `${before}=>\n${after}`).join('')}`,
  )
}

/**
 * A request for which the condition of an `<If>` is true: there is no claim about its answer, but both sides
 * must agree.
 */
async function differenceUnderCondition(claim: Claim): Promise<string[]> {
  count.conditional++
  const [old, now] = await Promise.all([ask('old', claim, { 'X-If': 'on' }), ask('new', claim, { 'X-If': 'on' })])
  if (old.status === now.status && old.challenge === now.challenge) return []
  return [`under <If>: old ${old.status}, new ${now.status}: ${JSON.stringify(claim.question)} ${claim.variables.join(' ')}`]
}

/** A user who exists only in the proof cannot log in elsewhere; a folder without a URL cannot be requested. */
function isReplayable({ question: { credentials, target } }: Claim): boolean {
  if (target.startsWith('/.gatewright-')) return false
  return credentials === null || credentials.password !== null || Object.hasOwn(PASSWORDS, credentials.user)
}

function ask(
  host: 'old' | 'new',
  { question, variables }: Claim,
  more: Readonly<Record<string, string>> = {},
): Promise<ApacheAnswer> {
  const headers: Record<string, string> = { 'X-Client': question.client, ...authorization(question), ...more }
  for (const variable of variables) headers[`X-Variable-${variable}`] = 'set'
  return askApache({ port, host, method: question.method, target: question.target, headers })
}

function authorization({ credentials }: Question): Record<string, string> {
  if (credentials === null) return {}
  const pair = `${credentials.user}:${credentials.password ?? PASSWORDS[credentials.user]}`
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
