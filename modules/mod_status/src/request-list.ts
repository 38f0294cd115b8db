import type { RequestStatus, ServerStatus, WorkerStatus } from '@gatewright/api/status'
import { escapeHtml, escapeLogItem } from '@gatewright/api/text'
import { byteAmount, shortNumber } from './number-format.ts'

/** The requests as paragraphs (`?notable`), for clients that do not support tables. */
export function requestList(status: ServerStatus): string {
  let entries = ''
  for (const worker of status.workers) {
    for (const request of worker.requests) entries += entryOf(worker, request)
  }
  return `<hr /><h2>Server Details</h2>\n\n${entries}`
}

function entryOf(worker: WorkerStatus, request: RequestStatus): string {
  const { connectionAccesses, slotAccesses, connectionBytes, slotBytes, duration, totalDuration, idle } = request
  const milliseconds = Math.max(0, Math.floor(duration))
  return (
    `<b>Server ${worker.slot}-${worker.generation}</b> (${worker.pid}): ${connectionAccesses}|${slotAccesses}|${slotAccesses} ` +
    `[${STATE_WORDS[request.state] ?? '?STATE?'}] u${shortNumber(worker.cpuUser)} s${shortNumber(worker.cpuSystem)} cu0 cs0\n` +
    ` ${Math.floor(idle / 1000)} ${milliseconds} ${Math.floor(totalDuration)}` +
    `(${byteAmount(connectionBytes)}|${byteAmount(slotBytes)}|${byteAmount(slotBytes)})\n` +
    ` <i>${escapeHtml(request.client)} {${escapeHtml(escapeLogItem(request.requestLine))}}</i> ` +
    `<i>(${escapeHtml(request.protocol.toLowerCase())})</i> <b>[${escapeHtml(request.vhost)}]</b><br />\n\n`
  )
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  _: 'Ready',
  S: 'Starting',
  R: '<b>Read</b>',
  W: '<b>Write</b>',
  K: '<b>Keepalive</b>',
  L: '<b>Logging</b>',
  D: '<b>DNS lookup</b>',
  C: '<b>Closing</b>',
  '.': 'Dead',
  G: 'Graceful',
  I: 'Dying',
}
