import { DECLINED, DONE, HOOK_RULES, type HookName, HTTP_FORBIDDEN, HTTP_NOT_FOUND, OK, type Outcome } from '@gatewright/api'
import type { DecisionTracer } from '@gatewright/api/tracing'
import fc from 'fast-check'
import t from 'tap'
import { createServer } from '../src/host/create-server.ts'
import { partsOf } from '../src/host/loaded-parts.ts'
import { type Phase, type PhaseRules, phase } from '../src/lifecycle/phase.ts'
import { runPhases } from '../src/lifecycle/run-phases.ts'
import { compileSequence, HANDLED, REDIRECTED, type Sequence } from '../src/lifecycle/sequence.ts'
import { compileSequences } from '../src/lifecycle/sequences.ts'
import { Answer, OPEN } from '../src/model/answer.ts'
import { RequestRecord } from '../src/model/request-record.ts'
import { REQUEST_HOOKS } from './support/phases.ts'

/** Hooks without a request: those of the start, and of a connection. */
const WITHOUT_REQUEST: readonly HookName[] = [
  'preConfig',
  'checkConfig',
  'testConfig',
  'openLogs',
  'postConfig',
  'childInit',
  'preConnection',
]

t.test('every hook of requests is in the table of phases, once and in the order of httpd', async (t) => {
  const server = await createServer({ config: 'ServerName localhost\n' })
  t.teardown(() => server.close())
  const { phases, afterwards } = partsOf(server.configuration).host.lifecycle
  const rows = [...phases, ...afterwards].map(({ name }) => name)
  const hooks = Object.keys(HOOK_RULES).filter((name) => !WITHOUT_REQUEST.some((other) => other === name))
  t.same(
    rows.filter((name) => hooks.includes(name)),
    REQUEST_HOOKS,
  )
  t.equal(rows.filter((name) => hooks.includes(name)).length, hooks.length, 'no hook is missing')
})

t.test('phases run in order until a verdict ends the request, also when one of them has to be waited for', async (t) => {
  const server = await createServer({ config: 'ServerName localhost\n' })
  t.teardown(() => server.close())
  const record = await recordOf(server)
  for (const waiting of [false, true]) {
    const ran: string[] = []
    const row = (name: string, outcome: Outcome, rules = {}): ReturnType<typeof phase> =>
      phase(
        name,
        () => {
          ran.push(name)
          return waiting ? Promise.resolve(outcome) : outcome
        },
        rules,
      )
    const rows = compileSequence([
      row('never', HTTP_FORBIDDEN, { when: () => false }),
      row('first', OK),
      row('declined', DECLINED, { verdict: () => OK }),
      row('refused', HTTP_FORBIDDEN),
      row('after', OK),
    ])
    t.equal(await runPhases(rows, record, 0), HTTP_FORBIDDEN)
    t.same(ran, ['first', 'declined', 'refused'])
    ran.length = 0
    t.equal(await runPhases(rows, record, 4), OK, 'from a later row')
    t.same(ran, ['after'])
  }
  t.equal(typeof runPhases(compileSequence([phase('only', () => OK)]), record, 0), 'number', 'nothing waits unless a phase does')
})

t.test('rows of hooks without functions are passed over, unless an error or a verdict depends on them', async (t) => {
  const empty = (name: string, rules?: PhaseRules): Phase => phase(name, () => OK, rules, true)
  const { phases } = compileSequence([
    phase('first', () => OK),
    empty('idle'),
    empty('also idle'),
    empty('judged', { verdict: () => HTTP_FORBIDDEN }),
    empty('last'),
  ])
  t.same(
    phases.map(({ next }) => next),
    [3, 3, 3, 5, 5],
  )
})

t.test('an error moves a request to the failure track, whose rows bring it back with a response', async (t) => {
  const server = await createServer({ config: 'ServerName localhost\n' })
  t.teardown(() => server.close())
  const record = await recordOf(server)
  for (const waiting of [false, true]) {
    const ran: string[] = []
    const row = (name: string, outcome: Outcome, rules: PhaseRules = {}): Phase =>
      phase(
        name,
        (_request, failure) => {
          ran.push(rules.on === undefined ? name : `${name} ${failure}`)
          return waiting ? Promise.resolve(outcome) : outcome
        },
        rules,
      )
    const sequence = (prepared: Outcome, delivered: Outcome): Sequence =>
      compileSequence([
        row('prepare', prepared),
        row('handle', OK),
        row(HANDLED, OK, { on: 'both' }),
        row('note', OK, { on: 'failure' }),
        row('never', OK, { on: 'failure', when: () => false, continueAt: 'end' }),
        row('worse', HTTP_NOT_FOUND, { on: 'failure' }),
        row('page', OK, { on: 'failure' }),
        row('deliver', delivered),
        row('send', DONE),
        row('last resort', OK, { on: 'failure', continueAt: 'send' }),
      ])
    t.equal(await runPhases(sequence(OK, OK), record, 0), DONE)
    t.same(ran.splice(0), ['prepare', 'handle', `${HANDLED} 0`, 'deliver', 'send'])
    t.equal(await runPhases(sequence(DONE, OK), record, 0), DONE)
    t.same(ran.splice(0), ['prepare', `${HANDLED} ${DONE}`, 'deliver', 'send'], 'DONE needs no handler')
    t.equal(await runPhases(sequence(HTTP_FORBIDDEN, OK), record, 0), DONE)
    t.same(ran.splice(0), ['prepare', `${HANDLED} 403`, 'note 403', 'worse 403', 'page 404', 'deliver', 'send'])
    t.equal(await runPhases(sequence(OK, HTTP_FORBIDDEN), record, 1), DONE)
    t.same(ran.splice(0), ['handle', `${HANDLED} 0`, 'deliver', 'last resort 403', 'send'])
    t.equal(await runPhases(sequence(OK, OK), record, 2, HTTP_FORBIDDEN), DONE, 'a request that has failed before its first row')
    t.same(ran.splice(0), [`${HANDLED} 403`, 'note 403', 'worse 403', 'page 404', 'deliver', 'send'])
  }
  t.throws(() => compileSequence([phase('lost', () => OK, { continueAt: 'nowhere' })]), /no phase is called nowhere/)
})

t.test('a row hands over to a redirect at the row for redirects, and to an earlier request at the next row', async (t) => {
  const server = await createServer({ config: 'ServerName localhost\n' })
  t.teardown(() => server.close())
  const first = await recordOf(server)
  const { host, connection, headersIn } = first
  const next = new RequestRecord(host, connection, null, first.server, headersIn, null, first)
  for (const waiting of [false, true]) {
    const ran: string[] = []
    const nameOf = (request: RequestRecord): string => (request === first ? 'first' : 'next')
    const row = (name: string, to: (request: RequestRecord) => Outcome | RequestRecord, rules: PhaseRules = {}): Phase =>
      phase(
        name,
        (request) => {
          ran.push(`${name} ${nameOf(request)}`)
          return waiting ? Promise.resolve(to(request)) : to(request)
        },
        rules,
      )
    const sequence = compileSequence([
      row('chooseServer', () => OK),
      row(REDIRECTED, () => HTTP_FORBIDDEN),
      row('document', (request) => (request === first ? next : first), { on: 'failure' }),
      row('page', () => OK, { on: 'failure' }),
      row('send', () => DONE),
    ])
    t.equal(await runPhases(sequence, first, 0), DONE)
    t.same(ran, [
      'chooseServer first',
      `${REDIRECTED} first`,
      'document first',
      `${REDIRECTED} next`,
      'document next',
      'page first',
      'send first',
    ])
  }
})

t.test('every error of a request ends in a response: before the delivery by a page, in it by another attempt', async (t) => {
  const server = await createServer({ config: 'ServerName localhost\n' })
  t.teardown(() => server.close())
  const { phases: rows } = partsOf(server.configuration).host.lifecycle
  const { client } = compileSequences(rows)
  const nameOf = (index: number): string => rows[index]?.name ?? 'end'
  const handled = rows.findIndex(({ name }) => name === HANDLED)
  const delivery = rows.findIndex(({ name }) => name === 'claimAnswer')
  const firstOfFailures = nameOf(rows.findIndex(({ on }) => on === 'failure'))
  client.phases.forEach(({ failed, done }, index) => {
    const { name, on } = rows[index]
    if (on !== 'success') return
    // The row that discards an unread body comes after the handler, and its error is answered like one of the handler.
    const page = index < handled ? HANDLED : firstOfFailures
    t.equal(nameOf(failed), index < delivery ? page : 'withdraw', `an error of ${name}`)
    if (name === 'discardUnreadBody') return
    t.equal(nameOf(done), index < delivery ? HANDLED : 'end', `DONE of ${name}`)
  })
})

t.test('the state of an answer only moves forward, one request at a time prepares it, and it begins once', async (t) => {
  const server = await createServer({ config: 'ServerName localhost\n' })
  t.teardown(() => server.close())
  const records = [await recordOf(server), await recordOf(server)]
  let begun = 0
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('claim', 'release', 'begin', 'end'), fc.constantFrom(0, 1)), { maxLength: 12 }),
      (steps) => {
        const answer = new Answer()
        let owner: number | null = null
        let begins = 0
        let ends = 0
        for (const [step, who] of steps) {
          const before = answer.state
          const record = records[who]
          if (step === 'claim') {
            const granted = answer.claim(record)
            if (granted !== (before === OPEN && owner === null)) return false
            if (granted) owner = who
          } else if (step === 'release') {
            answer.release(record)
            if (before === OPEN && owner === who) owner = null
          } else if (step === 'begin') {
            try {
              answer.begin(record)
              begins++
              owner = who
            } catch {
              if (before === OPEN) return false
            }
          } else if (answer.end(1)) ends++
          if (answer.state < before) return false
        }
        begun += begins
        return begins <= 1 && ends <= 1
      },
    ),
    { numRuns: 500 },
  )
  t.ok(begun > 100, 'many of the sequences send something')
})

/** A request of the server. */
async function recordOf(server: Awaited<ReturnType<typeof createServer>>): Promise<RequestRecord> {
  let found: RequestRecord | null = null
  const tracer: DecisionTracer = {
    evaluated: () => {},
    limited: () => {},
    step: (request) => {
      if (request instanceof RequestRecord) found = request
    },
  }
  await server.inject({ target: '/', tracer })
  if (found === null) throw new Error('no phase was traced')
  return found
}
