import { setImmediate as turn } from 'node:timers/promises'
import { NO_COUNTERS } from '@gatewright/api/status'
import t from 'tap'
import type { Statuses } from '../src/roles/messages.ts'
import { StatusQuestions } from '../src/worker/status-questions.ts'

const statuses = (generation: number): Statuses => ({
  startedAt: 0,
  generation,
  load: [0, 0, 0],
  workers: [],
  former: { accesses: 0, bytes: 0, duration: 0, cpuUser: 0, cpuSystem: 0, counters: NO_COUNTERS },
  reloads: { done: 0, refused: 0 },
  workerDeaths: 0,
})

t.test('requests in one turn of the loop are combined, and all get the answer', async (t) => {
  const sent: number[] = []
  const questions = new StatusQuestions((id) => sent.push(id))
  const asked = [questions.ask(), questions.ask(), questions.ask()]
  t.strictSame(sent, [], 'it is sent at the end of the turn')
  await turn()
  t.equal(sent.length, 1)
  questions.answer(sent[0], statuses(7))
  t.strictSame(
    (await Promise.all(asked)).map(({ generation }) => generation),
    [7, 7, 7],
  )
})

t.test('a later question is another one, so that its answer is no older than it', async (t) => {
  const sent: number[] = []
  const questions = new StatusQuestions((id) => sent.push(id))
  const first = questions.ask()
  await turn()
  const second = questions.ask()
  await turn()
  t.equal(sent.length, 2)
  questions.answer(sent[1], statuses(2))
  questions.answer(sent[0], statuses(1))
  t.equal((await first).generation, 1)
  t.equal((await second).generation, 2)
})
