import { DECLINED, HOOK_RULES, type HookName, HTTP_FORBIDDEN, OK, type Outcome } from '@gatewright/api'
import type { DecisionTracer } from '@gatewright/api/tracing'
import fc from 'fast-check'
import t from 'tap'
import { createServer } from '../src/host/create-server.ts'
import { partsOf } from '../src/host/loaded-parts.ts'
import { phase } from '../src/lifecycle/phase.ts'
import { runPhases } from '../src/lifecycle/run-phases.ts'
import { Answer, OPEN } from '../src/model/answer.ts'
import { RequestRecord } from '../src/model/request-record.ts'

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

t.test('every hook that sees a request stands in the table of phases, once and in the order of httpd', async (t) => {
  const server = await createServer({ config: 'ServerName localhost\n' })
  t.teardown(() => server.close())
  const { prepare, handle, fail, deliver, finish } = partsOf(server.configuration).host.lifecycle
  const rows = [...prepare, ...handle, ...fail, ...deliver, ...finish].map(({ name }) => name)
  const hooks = Object.keys(HOOK_RULES).filter((name) => !WITHOUT_REQUEST.some((other) => other === name))
  t.same(
    rows.filter((name) => hooks.includes(name)),
    [
      'postReadRequest',
      'preTranslateName',
      'translateName',
      'mapToStorage',
      'postPerdirConfig',
      'headerParser',
      'accessChecker',
      'accessCheckerEx',
      'forceAuthn',
      'checkUserId',
      'authChecker',
      'typeChecker',
      'fixups',
      'insertFilter',
      'handler',
      'noteAuthFailure',
      'insertErrorFilter',
      'fixupHeaders',
      'logTransaction',
    ],
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
    const rows = [
      row('never', HTTP_FORBIDDEN, { when: () => false }),
      row('first', OK),
      row('declined', DECLINED, { verdict: () => OK }),
      row('refused', HTTP_FORBIDDEN),
      row('after', OK),
    ]
    t.equal(await runPhases(rows, record, 0), HTTP_FORBIDDEN)
    t.same(ran, ['first', 'declined', 'refused'])
    ran.length = 0
    t.equal(await runPhases(rows, record, 4), OK, 'from a later row')
    t.same(ran, ['after'])
  }
  t.equal(typeof runPhases([phase('only', () => OK)], record, 0), 'number', 'nothing waits unless a phase does')
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
