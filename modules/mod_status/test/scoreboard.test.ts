import type { WorkerStatus } from '@gatewright/api/status'
import t from 'tap'
import { scoreboard } from '../src/scoreboard.ts'
import { summarize } from '../src/summary.ts'
import { fakeRequestStatus, fakeStatus, fakeWorker, STARTED_AT } from './status.ts'

function board(
  workers: readonly WorkerStatus[],
  mpmGeneration = 0,
): { readonly letters: string; readonly busy: number; readonly idle: number } {
  const status = fakeStatus({ workers, mpmGeneration, maxRequestWorkers: 12, threadsPerWorker: 4 })
  const { busy, idle } = summarize(status, STARTED_AT)
  return { letters: scoreboard(status), busy, idle }
}

const inState = (state: string): ReturnType<typeof fakeRequestStatus> => fakeRequestStatus({ state })

t.test('slots without a process are dots, free slots are underscores', async (t) => {
  t.same(board([]), { letters: '............', busy: 0, idle: 0 })
  t.same(board([fakeWorker()]), { letters: '____........', busy: 0, idle: 4 })
  t.same(board([fakeWorker({ slot: 1 })]), { letters: '....____....', busy: 0, idle: 4 })
})

t.test('active requests show their state, finished ones do not', async (t) => {
  const worker = fakeWorker({ busy: 2, requests: [inState('_'), inState('W'), inState('R'), inState('_')] })
  t.same(board([worker]), { letters: 'WR__........', busy: 2, idle: 2 })
})

t.test('a worker never shows more requests than it has slots', async (t) => {
  const worker = fakeWorker({ busy: 9, requests: Array(9).fill(inState('W')) })
  t.same(board([worker, fakeWorker({ slot: 1 })]), { letters: 'WWWW____....', busy: 4, idle: 4 })
})

t.test('requests that are not listed are shown as sending a reply', async (t) => {
  t.equal(board([fakeWorker({ busy: 2 })]).letters, 'WW__........')
})

t.test('a stopping worker counts neither as busy nor as idle, but its letters are shown', async (t) => {
  const old = fakeWorker({ stopping: true, generation: 0, busy: 2, requests: [inState('W'), inState('W')] })
  const fresh = fakeWorker({ slot: 0, generation: 1, busy: 1, requests: [inState('W')] })
  t.same(board([old, fresh], 1), { letters: 'W___GG......', busy: 1, idle: 3 })
})

t.test('the string has as many letters as there are request workers, whatever the size of a process', async (t) => {
  const status = fakeStatus({ maxRequestWorkers: 10, threadsPerWorker: 4, workers: [fakeWorker({ slot: 2 })] })
  t.equal(scoreboard(status), '........__')
})
