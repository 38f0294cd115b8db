import type { ServerInventory } from '@gatewright/api/status'
import { escapeHtml } from '@gatewright/api/text'
import { REQUEST_HOOKS, STARTUP_HOOKS } from './hook-titles.ts'

/** The three lists of hooks, with the functions in each hook. */
export function hookSections({ hooks }: ServerInventory): string {
  const titled = new Set([...STARTUP_HOOKS, ...REQUEST_HOOKS].map(([name]) => String(name)))
  const others = hooks.filter(({ name }) => !titled.has(name)).map(({ name }) => [name, name] as const)
  return (
    section('startup_hooks', 'Startup Hooks', STARTUP_HOOKS, hooks) +
    section('request_hooks', 'Request Hooks', REQUEST_HOOKS, hooks) +
    section('other_hooks', 'Other Hooks', others, hooks)
  )
}

function section(
  anchor: string,
  title: string,
  wanted: readonly (readonly [string, string])[],
  hooks: ServerInventory['hooks'],
): string {
  const lists = wanted.map(([name, shown]) => {
    const functions = hooks.find((hook) => hook.name === name)?.functions ?? []
    return functions.length === 0 ? '' : list(shown, functions)
  })
  return `<h2><a name="${anchor}">${title}</a></h2>\n<dl>${lists.join('')}</dl>\n<hr />\n`
}

function list(title: string, functions: readonly { readonly source: string; readonly rank: number }[]): string {
  const items = functions.map(({ source, rank }) => {
    const shown = escapeHtml(source)
    return `&nbsp;&nbsp; ${rankText(rank)} <a href="?${shown}">${shown}</a> <br/>`
  })
  return `<dt><strong>${escapeHtml(title)}:</strong>\n <br /><tt>\n${items.join('')}\n  </tt>\n</dt>\n`
}

function rankText(rank: number): string {
  return rank < 0 ? String(rank) : String(rank).padStart(2, '0')
}
