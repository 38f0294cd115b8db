import type { ServerStatus } from '@gatewright/api/status'
import t from 'tap'
import { autoText } from '../src/auto.ts'
import { summarize } from '../src/summary.ts'
import { statusTime } from '../src/time-format.ts'
import { fakeStatus, fakeWorker, STARTED_AT } from './status.ts'

function auto(status: ServerStatus, seconds: number): string {
  return autoText({
    status,
    summary: summarize(status, STARTED_AT + seconds * 1000),
    serverName: '127.0.0.1',
    banner: 'Gatewright/0.1.0 (Unix)',
  })
}

function keys(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/:.*/, ''))
}

const FIRST = [
  '127.0.0.1',
  'ServerVersion',
  'ServerMPM',
  'Server Built',
  'CurrentTime',
  'RestartTime',
  'ParentServerConfigGeneration',
  'ParentServerMPMGeneration',
  'ServerUptimeSeconds',
  'ServerUptime',
  'Load1',
  'Load5',
  'Load15',
]
const LAST = [
  'BusyWorkers',
  'GracefulWorkers',
  'IdleWorkers',
  'Processes',
  'Stopping',
  'ConnsTotal',
  'ConnsAsyncWaitIO',
  'ConnsAsyncWriting',
  'ConnsAsyncKeepAlive',
  'ConnsAsyncClosing',
  'Scoreboard',
]
const TOTALS = [
  'Total Accesses',
  'Total kBytes',
  'Total Duration',
  'CPUUser',
  'CPUSystem',
  'CPUChildrenUser',
  'CPUChildrenSystem',
]

t.test('the text form is the sample of the specification, byte for byte', async (t) => {
  t.equal(
    auto(fakeStatus(), 1),
    `127.0.0.1
ServerVersion: Gatewright/0.1.0 (Unix)
ServerMPM: event
Server Built: 2026-11-12T08:58:41
CurrentTime: ${statusTime(STARTED_AT + 1000)}
RestartTime: ${statusTime(STARTED_AT)}
ParentServerConfigGeneration: 1
ParentServerMPMGeneration: 0
ServerUptimeSeconds: 1
ServerUptime: 1 second
Load1: 0.60
Load5: 0.26
Load15: 0.15
Total Accesses: 7
Total kBytes: 18
Total Duration: 3
CPUUser: .01
CPUSystem: 0
CPUChildrenUser: 0
CPUChildrenSystem: 0
CPULoad: 1
Uptime: 1
ReqPerSec: 7
BytesPerSec: 18432
BytesPerReq: 2633.14
DurationPerReq: .428571
BusyWorkers: 1
GracefulWorkers: 0
IdleWorkers: 49
Processes: 2
Stopping: 0
ConnsTotal: 0
ConnsAsyncWaitIO: 0
ConnsAsyncWriting: 0
ConnsAsyncKeepAlive: 0
ConnsAsyncClosing: 0
Scoreboard: ${'_'.repeat(25)}W${'_'.repeat(24)}${'.'.repeat(100)}
`,
  )
})

t.test('times are local, with the full weekday', async (t) => {
  t.match(statusTime(STARTED_AT), /^(Friday|Saturday|Sunday), \d\d-Nov-2026 \d\d:\d\d:23 \S+$/)
})

t.test('without ExtendedStatus only the totals are missing', async (t) => {
  t.same(keys(auto(fakeStatus({ extended: false }), 1)), [...FIRST, ...LAST])
})

t.test('rates require an uptime, averages a request, the load both time and work', async (t) => {
  const quiet = fakeStatus({ workers: [fakeWorker()] })
  t.same(keys(auto(quiet, 0)), [...FIRST, ...TOTALS, 'Uptime', ...LAST])
  t.same(keys(auto(quiet, 5)), [...FIRST, ...TOTALS, 'Uptime', 'ReqPerSec', 'BytesPerSec', ...LAST])
  t.same(keys(auto(fakeStatus(), 0)), [...FIRST, ...TOTALS, 'Uptime', 'BytesPerReq', 'DurationPerReq', ...LAST])
  t.match(auto(quiet, 0), '\nServerUptime:\nLoad1:')
})

t.test('connections are summed over the workers', async (t) => {
  const workers = [
    fakeWorker({ connections: 4, writing: 1, keepAlive: 2, closing: 1 }),
    fakeWorker({ slot: 1, connections: 3, writing: 1, keepAlive: 1, closing: 0, stopping: true }),
  ]
  const text = auto(fakeStatus({ workers }), 1)
  t.match(
    text,
    'Processes: 2\nStopping: 1\nConnsTotal: 7\nConnsAsyncWaitIO: 0\nConnsAsyncWriting: 2\nConnsAsyncKeepAlive: 3\nConnsAsyncClosing: 1\n',
  )
})
