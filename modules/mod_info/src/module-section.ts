import type { ModuleEntry, ServerInventory } from '@gatewright/api/status'
import { escapeHtml } from '@gatewright/api/text'
import type { Remark } from './config.ts'
import { configHtml } from './config-html.ts'
import { REQUEST_HOOKS } from './hook-titles.ts'

const CONFIGURES: Readonly<Record<ModuleEntry['configures'][number], string>> = {
  'create directory': 'Create Directory Config',
  'merge directory': 'Merge Directory Configs',
  'create server': 'Create Server Config',
  'merge server': 'Merge Server Configs',
}

/** Everything about one module. */
export function moduleSection(module: ModuleEntry, inventory: ServerInventory, remarks: readonly Remark[]): string {
  const source = escapeHtml(module.source)
  const takesPart = (hook: string): boolean =>
    inventory.hooks.some(({ name, functions }) => name === hook && functions.some((entry) => entry.source === module.source))
  const phases = REQUEST_HOOKS.filter(([name]) => takesPart(name)).map(([, title]) => title)
  return (
    `<dl><dt><a name="${source}"><strong>Module Name:</strong></a> <font size="+1"><tt><a href="?${source}">${source}</a></tt></font></dt>\n` +
    `<dt><strong>Content handlers:</strong> <tt> <em>${takesPart('handler') ? 'yes' : 'none'}</em></tt></dt>` +
    `<dt><strong>Configuration Phase Participation:</strong>\n${names(module.configures.map((what) => CONFIGURES[what]))}</dt>` +
    `<dt><strong>Request Phase Participation:</strong>\n${names(phases)}</dt>\n` +
    directives(module, inventory) +
    additions(module, remarks) +
    '</dl><hr />\n'
  )
}

function names(list: readonly string[]): string {
  return list.length === 0 ? '<tt> <em>none</em></tt>' : list.map((name) => `<tt>${name}</tt>`).join(', ')
}

function directives({ source, directives: known }: ModuleEntry, { config }: ServerInventory): string {
  if (known.length === 0) return '<dt><strong>Module Directives:</strong> <tt> none</tt></dt>'
  const rows = known.map(({ name, help }) => `<dd><tt>${escapeHtml(name)} - <i>${escapeHtml(help)}</i></tt></dd>\n`)
  return (
    `<dt><strong>Module Directives:</strong></dt>${rows.join('')}` +
    `<dt><strong>Current Configuration:</strong></dt>\n${configHtml(config, source)}`
  )
}

/** As the administrator wrote it: the directive is meant to insert markup. */
function additions({ source }: ModuleEntry, remarks: readonly Remark[]): string {
  const own = remarks.filter((remark) => remark.source.toLowerCase() === source.toLowerCase())
  if (own.length === 0) return ''
  return `<dt><strong>Additional Information:</strong>\n</dt>${own.map(({ html }) => `<dd>${html}</dd>`).join('')}`
}
