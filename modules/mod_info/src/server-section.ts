import { API_VERSION, MODULE_MAGIC_NUMBER_MAJOR, type Request } from '@gatewright/api'
import type { ServerInventory } from '@gatewright/api/status'
import { escapeHtml } from '@gatewright/api/text'

/** Properties of the server in addition to the inventory. */
export interface ServerFacts {
  readonly banner: string
  readonly built: string
  readonly mpm: string
}

/** Version, times, process model, paths. */
export function serverSection(request: Request, inventory: ServerInventory, { banner, built, mpm }: ServerFacts): string {
  const { timeout, keepAliveTimeout } = request.server
  const minor = API_VERSION.slice(API_VERSION.lastIndexOf('.') + 1)
  const model = `Max Daemons: ${inventory.maxProcesses} Threaded: no Forked: yes`
  return (
    `<h2><a name="server">Server Settings</a></h2><dl>` +
    `<dt><strong>Server Version:</strong> <font size="+1"><tt>${escapeHtml(banner)}</tt></font></dt>\n` +
    `<dt><strong>Server Built:</strong> <font size="+1"><tt>${escapeHtml(built)}</tt></font></dt>\n` +
    row('Server loaded Node Version', process.versions.node) +
    row('Module Magic Number', `${MODULE_MAGIC_NUMBER_MAJOR}:${minor}`) +
    row('Hostname/port', `${request.serverName()}:${request.serverPort()}`) +
    `<dt><strong>Timeouts:</strong> <tt>connection: ${timeout / 1000} &nbsp;&nbsp; keep-alive: ${keepAliveTimeout / 1000}</tt></dt>` +
    row('MPM Name', mpm) +
    row('MPM Information', model) +
    row('Server Architecture', `${process.arch.endsWith('64') ? 64 : 32}-bit`) +
    row('Server Root', inventory.serverRoot) +
    row('Config File', inventory.configFile) +
    '</dl><hr />'
  )
}

function row(name: string, value: string): string {
  return `<dt><strong>${name}:</strong> <tt>${escapeHtml(value)}</tt></dt>\n`
}
