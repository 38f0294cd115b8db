import { busyThreads, idleThreads, type ServerStatus, type WorkerStatus } from '@gatewright/api/status'

/** A table with one row per process, for its connections and the state of its slots, and a row of sums. */
export function connectionTable(status: ServerStatus): string {
  const rows = status.workers.map((worker) => cellsOf(worker, status))
  const sum = (column: number): number => rows.reduce((total, { numbers }) => total + numbers[column], 0)
  const stopping = status.workers.filter((worker) => worker.stopping).length
  const total = rowOf([
    'Sum',
    String(status.workers.length),
    String(stopping),
    String(sum(0)),
    '&nbsp;',
    ...OTHERS.map((column) => String(sum(column))),
  ])
  return `\n${HEAD}${rows.map(({ text }) => text).join('')}${total}</table>\n`
}

/** Columns after the number of connections: busy, graceful, idle, wait-io, writing, keep-alive, closing. */
const OTHERS: readonly number[] = [1, 2, 3, 4, 5, 6, 7]

const HEAD = `<table rules="all" cellpadding="1%">
<tr><th rowspan="2">Slot</th><th rowspan="2">PID</th><th rowspan="2">Stopping</th><th colspan="2">Connections</th>
<th colspan="3">Threads</th><th colspan="4">Async connections</th></tr>
<tr><th>total</th><th>accepting</th><th>busy</th><th>graceful</th><th>idle</th><th>wait-io</th><th>writing</th><th>keep-alive</th><th>closing</th></tr>
`

function cellsOf(worker: WorkerStatus, status: ServerStatus): { readonly numbers: readonly number[]; readonly text: string } {
  const numbers = [
    worker.connections,
    busyThreads(worker, status),
    0,
    idleThreads(worker, status),
    0,
    worker.writing,
    worker.keepAlive,
    worker.closing,
  ]
  const old = worker.generation === status.mpmGeneration ? '' : ' (old gen)'
  const [connections, ...others] = numbers.map(String)
  const cells = [
    String(worker.slot),
    String(worker.pid),
    (worker.stopping ? 'yes' : 'no') + old,
    connections,
    worker.stopping ? 'no' : 'yes',
    ...others,
  ]
  return { numbers, text: rowOf(cells) }
}

function rowOf(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`
}
