import t from 'tap'
import { findWorker } from '../src/workers/server-workers.ts'
import { Worker, type WorkerKind } from '../src/workers/worker.ts'
import { setWorkerParameter } from '../src/workers/worker-parameters.ts'
import { changedStatus, DISABLED, HOT_STANDBY, IN_ERROR, STOPPED } from '../src/workers/worker-status.ts'

const parts = { name: 'http://127.0.0.1:1', scheme: 'http', hostname: '127.0.0.1', port: 1, socketPath: null }

function worker(kind: WorkerKind, parameters: Record<string, string> = {}): Worker {
  const made = new Worker(parts, null, kind)
  for (const [name, value] of Object.entries(parameters)) setWorkerParameter(made.parameters, name, value)
  return made
}

t.test('letters set and clear states', async (t) => {
  t.equal(changedStatus(0, 'D'), DISABLED)
  t.equal(changedStatus(0, '+d+S'), DISABLED | STOPPED)
  t.equal(changedStatus(DISABLED | STOPPED, '-D+H'), STOPPED | HOT_STANDBY)
  t.equal(changedStatus(0, '+X'), undefined)
})

t.test('a member of a balancer is in error after a failure, until it may be tried again', async (t) => {
  const member = worker('member', { retry: '60' })
  t.equal(member.fail(), true)
  t.equal(member.isUsable, false)
  t.equal(member.retry(), false, 'it is too soon')
  setWorkerParameter(member.parameters, 'retry', '0')
  t.equal(member.retry(), true)
  t.equal(member.isUsable, true)
})

t.test('the only backend for a URL is tried for every request, unless the configuration says otherwise', async (t) => {
  t.equal(worker('prefix').fail(), false)
  t.equal(worker('prefix', { status: '-I' }).fail(), true)
})

t.test('a worker that the configuration puts in error is tried at once, but not a stopped one', async (t) => {
  const failed = worker('prefix', { status: '+E' })
  t.equal(failed.isUsable, false)
  t.equal(failed.retry(), true)
  const stopped = worker('prefix', { status: '+E+S' })
  t.equal(stopped.retry(), false)
  t.equal(stopped.status & IN_ERROR, IN_ERROR)
})

t.test('a URL has the worker of its own host and port', async (t) => {
  const named = (name: string): Worker => new Worker({ ...parts, name }, null, 'prefix')
  const workers = [named('http://127.0.0.1:4'), named('http://127.0.0.1:41234/a')]
  t.equal(findWorker(workers, 'http://127.0.0.1:4/x')?.name, 'http://127.0.0.1:4')
  t.equal(findWorker(workers, 'http://127.0.0.1:41234/b'), null)
  t.equal(findWorker(workers, 'http://127.0.0.1:41234/ab')?.name, 'http://127.0.0.1:41234/a')
})
