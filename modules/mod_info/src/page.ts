import type { Request } from '@gatewright/api'
import type { ServerInventory } from '@gatewright/api/status'
import { escapeHtml } from '@gatewright/api/text'
import type { Remark } from './config.ts'
import { configHtml } from './config-html.ts'
import { hookSections } from './hook-section.ts'
import { moduleSection } from './module-section.ts'
import { providerSection } from './provider-section.ts'
import { type ServerFacts, serverSection } from './server-section.ts'
import { STYLE } from './style.ts'

/** The content of the page. */
export interface PageContents {
  readonly request: Request
  readonly inventory: ServerInventory
  readonly facts: ServerFacts
  readonly remarks: readonly Remark[]
  /** The footer of the page, or ''. */
  readonly signature: string
}

const HEAD =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"\n"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n' +
  '<html xmlns="http://www.w3.org/1999/xhtml">\n<head>\n  <title>Server Information</title>\n' +
  `<meta name="viewport" content="width=device-width, initial-scale=1" />\n<style type="text/css">\n${STYLE}</style>\n</head>\n<body><h1 style="text-align: center">Apache Server Information</h1>\n`

/**
 * The whole page, or the part selected by the query. Markup and order are httpd's, because programs parse
 * them; only the style sheet is added.
 */
export function infoPage(contents: PageContents, query: string | null): string {
  return `${HEAD}${part(contents, query)}${contents.signature}</body></html>\n`
}

function part(contents: PageContents, query: string | null): string {
  const { request, inventory, facts } = contents
  switch (query?.toLowerCase() ?? '') {
    case '':
      return everything(contents)
    case 'config':
      return `<dl><dt><strong>Configuration:</strong>\n${configHtml(inventory.config, null)}</dl><hr />`
    case 'server':
      return serverSection(request, inventory, facts)
    case 'list':
      return moduleList(inventory)
    case 'hooks':
      return hookSections(inventory)
    case 'providers':
      return providerSection(inventory)
    default:
      return sorted(inventory)
        .filter(({ source }) => source.toLowerCase() === query?.toLowerCase())
        .map((module) => moduleSection(module, inventory, contents.remarks))
        .join('')
  }
}

function everything(contents: PageContents): string {
  const { request, inventory, facts, remarks } = contents
  const modules = sorted(inventory)
  return (
    links('Subpages', [
      ['?config', 'Configuration Files'],
      ['?server', 'Server Settings'],
      ['?list', 'Module List'],
      ['?hooks', 'Active Hooks'],
      ['?providers', 'Available Providers'],
    ]) +
    links('Sections', [
      ['#modules', 'Loaded Modules'],
      ['#server', 'Server Settings'],
      ['#startup_hooks', 'Startup Hooks'],
      ['#request_hooks', 'Request Hooks'],
      ['#other_hooks', 'Other Hooks'],
      ['#providers', 'Providers'],
    ]) +
    '<h2><a name="modules">Loaded Modules</a></h2><dl><dt><tt>' +
    modules.map(({ source }) => `<a href="#${escapeHtml(source)}">${escapeHtml(source)}</a>, `).join('') +
    '</tt></dt></dl><hr />' +
    serverSection(request, inventory, facts) +
    hookSections(inventory) +
    providerSection(inventory) +
    modules.map((module) => moduleSection(module, inventory, remarks)).join('')
  )
}

function links(title: string, targets: readonly (readonly [string, string])[]): string {
  const shown = targets.map(([target, text]) => `<a href="${target}">${text}</a>`)
  return `<dl><dt><tt>${title}:<br />${shown.join(', ')}</tt></dt></dl><hr />`
}

function moduleList(inventory: ServerInventory): string {
  const items = sorted(inventory).map(({ source }) => `<dd>${escapeHtml(source)}</dd>`)
  return `<dl><dt>Server Module List</dt>${items.join('')}</dl><hr />`
}

function sorted({ modules }: ServerInventory): ServerInventory['modules'] {
  return [...modules].sort((a, b) => (a.source < b.source ? -1 : 1))
}
