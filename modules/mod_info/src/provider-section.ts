import type { ServerInventory } from '@gatewright/api/status'
import { escapeHtml } from '@gatewright/api/text'

/** Providers by group. */
export function providerSection({ providers }: ServerInventory): string {
  const groups = providers.map(({ group, names }) => {
    const items = [...names].sort().map((name) => `<tt>&nbsp;&nbsp;${escapeHtml(name)}</tt><br/>`)
    return `<dt><strong>${escapeHtml(group)}</strong> (version <tt>0</tt>):\n <br />\n${items.join('')}\n</dt>\n`
  })
  return `<h2><a name="providers">Providers</a></h2>\n<dl>${groups.join('')}</dl>\n<hr />\n`
}
