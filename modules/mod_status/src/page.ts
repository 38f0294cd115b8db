import { escapeHtml } from '@gatewright/api/text'
import type { StatusContext } from './auto.ts'
import { connectionTable } from './connection-table.ts'
import { liveHead } from './live.ts'
import { byteAmount, kilobyteAmount, shortNumber } from './number-format.ts'
import type { Detail } from './options.ts'
import { pidKey } from './pid-key.ts'
import { requestList } from './request-list.ts'
import { requestTable } from './request-table.ts'
import { places } from './scoreboard.ts'
import { cpuLoad, type Summary } from './summary.ts'
import { statusTime, uptimeWords } from './time-format.ts'

/** Parts that only the page has. */
export interface PageFrame {
  readonly localAddress: string
  /** The footer of the page, or ''. */
  readonly signature: string
  readonly detail: Detail
}

const DOCTYPE = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n'

/**
 * The HTML page. The order and markup of its parts are httpd's, because programs parse it; only its head has
 * additions.
 */
export function statusPage(context: StatusContext, { localAddress, signature, detail }: PageFrame): string {
  const { status, serverName } = context
  const title = `Apache Server Status for ${escapeHtml(serverName)} (via ${escapeHtml(localAddress)})`
  return (
    `${DOCTYPE}<html><head>\n<title>Apache Status</title>\n${liveHead(context)}</head><body>\n<h1>${title}</h1>\n\n` +
    serverBlock(context) +
    connectionTable(status) +
    scoreboardBlock(context) +
    (status.extended ? (detail === 'table' ? requestTable(status) : requestList(status)) : pidKey(status)) +
    `${signature}</body></html>\n`
  )
}

function serverBlock({ status, summary, banner }: StatusContext): string {
  const { uptime } = summary
  const load = status.load.map((value) => value.toFixed(2)).join(' ')
  return (
    `<dl><dt>Server Version: ${escapeHtml(banner)}</dt>\n<dt>Server MPM: ${status.mpm}</dt>\n<dt>Server Built: ${escapeHtml(status.built)}\n</dt></dl>` +
    `<hr /><dl>\n<dt>Current Time: ${statusTime(summary.now)}</dt>\n<dt>Restart Time: ${statusTime(status.startedAt)}</dt>\n` +
    `<dt>Parent Server Config. Generation: ${status.configGeneration}</dt>\n` +
    `<dt>Parent Server MPM Generation: ${status.mpmGeneration}</dt>\n` +
    `<dt>Server uptime: ${uptimeWords(uptime)}</dt>\n<dt>Server load: ${load}</dt>\n` +
    (status.extended ? trafficLines(summary) : '') +
    `<dt>${summary.busy} requests currently being processed, ${summary.graceful} workers gracefully restarting, ${summary.idle} idle workers</dt>\n` +
    '</dl>\n'
  )
}

function trafficLines(summary: Summary): string {
  const { accesses, kilobytes, duration, cpuUser, cpuSystem } = summary
  const load = cpuLoad(summary)
  return (
    `<dt>Total accesses: ${accesses} - Total Traffic: ${kilobyteAmount(kilobytes)} - Total Duration: ${duration}</dt>\n` +
    `<dt>CPU Usage: u${shortNumber(cpuUser)} s${shortNumber(cpuSystem)} cu0 cs0` +
    `${load === null ? '' : ` - ${shortNumber(load, 3)}% CPU load`}</dt>\n` +
    rateLine(summary)
  )
}

function rateLine({ accesses, kilobytes, duration, uptime }: Summary): string {
  const rates: string[] = []
  const bytes = kilobytes * 1024
  if (uptime > 0) rates.push(`${shortNumber(accesses / uptime, 3)} requests/sec - ${byteAmount(bytes / uptime)}/second`)
  if (accesses > 0) rates.push(`${byteAmount(bytes / accesses)}/request - ${shortNumber(duration / accesses)} ms/request`)
  return rates.length === 0 ? '' : `<dt>${rates.join(' - ')}</dt>\n`
}

const COLUMNS = 64

function scoreboardBlock({ status }: StatusContext): string {
  const letters = places(status).map(({ letter }) => letter)
  const rows: string[] = []
  for (let i = 0; i < letters.length; i += COLUMNS) rows.push(letters.slice(i, i + COLUMNS).join(''))
  return `<pre>${rows.join('\n')}</pre>\n${SCOREBOARD_KEY}`
}

const SCOREBOARD_KEY = `<p>Scoreboard Key:<br />
"<b><code>_</code></b>" Waiting for Connection, 
"<b><code>S</code></b>" Starting up, 
"<b><code>R</code></b>" Reading Request,<br />
"<b><code>W</code></b>" Sending Reply, 
"<b><code>K</code></b>" Keepalive (read), 
"<b><code>D</code></b>" DNS Lookup,<br />
"<b><code>C</code></b>" Closing connection, 
"<b><code>L</code></b>" Logging, 
"<b><code>G</code></b>" Gracefully finishing,<br /> 
"<b><code>I</code></b>" Idle cleanup of worker, 
"<b><code>.</code></b>" Open slot with no current process<br />
</p>
`
