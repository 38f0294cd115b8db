import type { SectionItem } from '@gatewright/config'
import type { UpgradeFinding } from '../finding.ts'
import type { OldConfiguration } from './old-configuration.ts'

/**
 * Virtual hosts that 2.2 never reached: without NameVirtualHost the first one of an address answered for all.
 */
export function virtualHostFindings({ files, lines }: OldConfiguration): UpgradeFinding[] {
  const named = new Set(lines.named('namevirtualhost').map(({ item }) => addressKey(item.words[0] ?? '')))
  const first = new Map<string, string>()
  const findings: UpgradeFinding[] = []
  for (const { path: file, item, parents } of files.items()) {
    if (item.kind !== 'section' || item.name.toLowerCase() !== 'virtualhost' || !lines.isRead(file, parents)) continue
    const key = item.words.map(addressKey).find((one) => !named.has(one) && first.has(one))
    if (key !== undefined) findings.push(unreached(file, item, first.get(key) ?? ''))
    for (const word of item.words) {
      const address = addressKey(word)
      if (!first.has(address)) first.set(address, `${file}:${item.line ?? 0}`)
    }
  }
  return findings
}

function unreached(file: string, item: SectionItem, earlier: string): UpgradeFinding {
  return {
    kind: 'default',
    weight: 'look',
    place: { file, line: item.line ?? 0 },
    subject: `<${item.name} ${item.text}>`,
    text: `2.2 never selected this host, because there is no NameVirtualHost for its address and ${earlier} comes first: 2.4 selects by name, so this host now answers`,
    instead: null,
    by: 'hand',
  }
}

/** `_default_` and `*` are equivalent; without a port all ports are meant. */
function addressKey(word: string): string {
  return word
    .toLowerCase()
    .replace(/^_default_/, '*')
    .replace(/:\*$/, '')
}
