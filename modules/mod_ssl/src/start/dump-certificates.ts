import type { ModuleHost, StartContext } from '@gatewright/api'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { effectiveSettings } from './effective-settings.ts'

/**
 * `-t -D DUMP_CERTS`: the files of SSLCertificateFile, whether SSLEngine is on or not. The main server comes first, then
 * the virtual hosts, the last one first, each with what it inherits.
 */
export function dumpCertificates(host: ModuleHost<SectionSettings, ServerSettings>, start: StartContext): void {
  if (!start.defined('DUMP_CERTS')) return
  const [main, ...virtualHosts] = start.servers
  const settings = effectiveSettings(host, start.servers)
  start.print('Server certificates:')
  for (const server of [main, ...virtualHosts.reverse()])
    for (const file of settings.get(server)?.server.certificateFiles ?? []) start.print(`  ${file}`)
}
