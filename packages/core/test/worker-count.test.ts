import t from 'tap'
import { workerCount, workerCountHint } from '../src/host/worker-count.ts'
import { createProcessConfig } from '../src/model/process-config.ts'

const PROCESSORS = 8

function of(lines: Partial<ReturnType<typeof createProcessConfig>>): ReturnType<typeof createProcessConfig> {
  return { ...createProcessConfig('pid'), ...lines }
}

t.test('there is a worker process for each processor, and StartServers is only the least number', (t) => {
  t.equal(workerCount(of({}), PROCESSORS), 8)
  t.equal(workerCount(of({ startServers: 2 }), PROCESSORS), 8)
  t.equal(workerCount(of({ startServers: 12 }), PROCESSORS), 12)
  t.equal(workerCount(of({}), 64), 64, 'the default of ServerLimit bounds nothing')
  t.end()
})

t.test('WorkerProcesses and a ServerLimit that is given make them fewer', (t) => {
  t.equal(workerCount(of({ workerProcesses: 2 }), PROCESSORS), 2)
  t.equal(workerCount(of({ workerProcesses: 3, startServers: 5 }), PROCESSORS), 3)
  t.equal(workerCount(of({ serverLimit: 4, serverLimitGiven: true }), PROCESSORS), 4)
  t.equal(workerCount(of({ workerProcesses: 6, serverLimit: 4, serverLimitGiven: true }), PROCESSORS), 4)
  t.end()
})

t.test('a hint shows the number of workers if StartServers or WorkerProcesses specifies another one', (t) => {
  t.equal(workerCountHint(of({}), PROCESSORS), undefined)
  t.equal(workerCountHint(of({ startServers: 8 }), PROCESSORS), undefined)
  t.equal(workerCountHint(of({ workerProcesses: 3, startServers: 5 }), PROCESSORS), undefined)
  t.equal(
    workerCountHint(of({ startServers: 2 }), PROCESSORS),
    'StartServers 2 is the least number: 8 worker processes will serve, one for each processor; WorkerProcesses sets another number',
  )
  t.equal(
    workerCountHint(of({ startServers: 20, serverLimit: 4, serverLimitGiven: true }), PROCESSORS),
    'StartServers 20 is more than ServerLimit 4 allows: 4 worker processes will serve',
  )
  t.end()
})
