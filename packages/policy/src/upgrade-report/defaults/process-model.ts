import type { DocumentItem, SectionItem } from '@gatewright/config'
import type { UpgradeFinding } from '../finding.ts'
import type { OldConfiguration } from './old-configuration.ts'

/** Numbers in guards of a process model that is not available: the default was prefork, and is now event. */
export function processModelFindings({ files, lines }: OldConfiguration): UpgradeFinding[] {
  const findings: UpgradeFinding[] = []
  for (const { path: file, item, parents } of files.items()) {
    if (item.kind !== 'section' || !isOldModel(item) || !lines.isRead(file, parents) || lines.isRead(file, [item])) continue
    const kept = item.items.flatMap(renewedLine)
    findings.push({
      kind: 'default',
      weight: kept.length > 0 ? 'look' : 'know',
      place: { file, line: item.line ?? 0 },
      subject: `<${item.name} ${item.text}>`,
      text: 'the process model was prefork and is now event: these numbers are ignored. Requests no longer correspond to processes: set the number of concurrent requests, and leave the rest to the server',
      instead: kept.length > 0 ? ['<IfModule mpm_event_module>', ...kept.map((line) => `    ${line}`), '</IfModule>'] : null,
      by: kept.length > 0 ? 'hand' : null,
    })
  }
  return findings
}

function isOldModel({ name, text }: SectionItem): boolean {
  return name.toLowerCase() === 'ifmodule' && /^(?:mpm_)?(?:prefork|worker)(?:\.c|_module)$/i.test(text.trim())
}

/** Only these two have the same meaning under every process model. */
function renewedLine(item: DocumentItem): string[] {
  if (item.kind !== 'directive') return []
  if (/^(?:maxclients|maxrequestworkers)$/i.test(item.name)) return [`MaxRequestWorkers ${item.text}`]
  if (/^(?:maxrequestsperchild|maxconnectionsperchild)$/i.test(item.name) && item.words[0] !== '0')
    return [`MaxConnectionsPerChild ${item.text}`]
  return []
}
