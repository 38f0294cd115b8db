import { X509Certificate } from 'node:crypto'
import type { ModuleHost, StartContext } from '@gatewright/api'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { effectiveSettings } from './effective-settings.ts'
import { readText } from './files.ts'
import { certificatesIn } from './pem.ts'

const DAY = 86_400_000

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

/** `-S`: the certificates of the secured servers, and until when they are valid. httpd does not print them. */
export function dumpExpiry(host: ModuleHost<SectionSettings, ServerSettings>, start: StartContext, now: number): void {
  if (!start.defined('DUMP_VHOSTS')) return
  const lines = [...effectiveSettings(host, start.servers).values()].flatMap(({ id, isOn, server }) =>
    isOn ? server.certificateFiles.map((file) => `  ${id} ${file} ${validityOf(file, now)}`) : [],
  )
  if (lines.length > 0) for (const line of ['Certificates:', ...lines]) start.print(line)
}

function validityOf(file: string, now: number): string {
  const [pem] = certificatesIn(readText(file))
  try {
    const { validFromDate, validToDate } = new X509Certificate(pem ?? '')
    const [start, end] = [validFromDate.toISOString(), validToDate.toISOString()].map((date) => date.slice(0, 10))
    if (validToDate.getTime() < now) return `expired on ${end}`
    if (validFromDate.getTime() > now) return `is not valid before ${start}`
    const days = Math.floor((validToDate.getTime() - now) / DAY)
    return `expires on ${end}, in ${days} ${days === 1 ? 'day' : 'days'}`
  } catch {
    return 'cannot be read'
  }
}
