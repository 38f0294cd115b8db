import type { RequestStatus, ServerStatus, WorkerStatus } from '@gatewright/api/status'
import { escapeHtml, escapeLogItem } from '@gatewright/api/text'

/** One row per active or recently finished request, and a legend of the columns. */
export function requestTable(status: ServerStatus): string {
  let rows = ''
  for (const worker of status.workers) {
    for (const request of worker.requests) rows += rowOf(worker, request)
  }
  return `\n\n${HEAD}${rows}</table>\n${LEGEND}`
}

const HEAD = `<table border="0"><tr><th>Srv</th><th>PID</th><th>Acc</th><th>M</th><th>CPU
</th><th>SS</th><th>Req</th><th>Dur</th><th>Conn</th><th>Child</th><th>Slot</th><th>Client</th><th>Protocol</th><th>VHost</th><th>Request</th></tr>

`

function rowOf(worker: WorkerStatus, request: RequestStatus): string {
  const { state, connectionAccesses, slotAccesses, connectionBytes, slotBytes, duration, totalDuration, idle } = request
  const shownState = PLAIN_STATES.includes(state) ? state : `<b>${state}</b>`
  const cpu = (worker.cpuUser + worker.cpuSystem).toFixed(2)
  const milliseconds = Math.max(0, Math.floor(duration))
  const megabytes = (slotBytes / 1024 / 1024).toFixed(2)
  return (
    `<tr><td><b>${worker.slot}-${worker.generation}</b></td><td>${state === '.' ? '-' : worker.pid}</td>` +
    `<td>${connectionAccesses}/${slotAccesses}/${slotAccesses}</td><td>${shownState}\n</td>` +
    `<td>${cpu}</td><td>${Math.floor(idle / 1000)}</td><td>${milliseconds}</td><td>${Math.floor(totalDuration)}</td>` +
    `<td>${(connectionBytes / 1024).toFixed(1)}</td><td>${megabytes}</td><td>${megabytes}\n</td>` +
    `<td>${escapeHtml(request.client)}</td><td>${escapeHtml(request.protocol.toLowerCase())}</td>` +
    `<td nowrap>${escapeHtml(request.vhost)}</td><td nowrap>${escapeHtml(escapeLogItem(request.requestLine))}</td></tr>\n\n`
  )
}

/** States of a slot without an active request; all others are bold. */
const PLAIN_STATES = '_.GI?'

const LEGEND = ` <hr /> <table>
 <tr><th>Srv</th><td>Child Server number - generation</td></tr>
 <tr><th>PID</th><td>OS process ID</td></tr>
 <tr><th>Acc</th><td>Number of accesses this connection / this child / this slot</td></tr>
 <tr><th>M</th><td>Mode of operation</td></tr>
 <tr><th>CPU</th><td>CPU usage, number of seconds</td></tr>
 <tr><th>SS</th><td>Seconds since beginning of most recent request</td></tr>
 <tr><th>Req</th><td>Milliseconds required to process most recent request</td></tr>
 <tr><th>Dur</th><td>Sum of milliseconds required to process all requests</td></tr>
 <tr><th>Conn</th><td>Kilobytes transferred this connection</td></tr>
 <tr><th>Child</th><td>Megabytes transferred this child</td></tr>
 <tr><th>Slot</th><td>Total megabytes transferred this slot</td></tr>
 </table>
`
