import type { ConfigNode, DocumentItem } from '@gatewright/config'

export const GUARDS: ReadonlySet<string> = new Set(['ifmodule', 'ifversion', 'ifdefine', 'iffile', 'ifdirective', 'ifsection'])

/** The lines of a file as read by a server for which every guard is true and no variable is set. */
export function everyLine(path: string, items: readonly DocumentItem[], parent: ConfigNode | null = null): ConfigNode[] {
  return items.flatMap((item) => {
    if (item.kind === 'directive')
      return [{ name: item.name, text: item.text, file: path, line: item.lastLine ?? 0, parent, children: null }]
    if (item.kind !== 'section') return []
    if (GUARDS.has(item.name.toLowerCase())) return everyLine(path, item.items, parent)
    const node = { name: `<${item.name}`, text: `${item.text}>`, file: path, line: item.lastLine ?? 0, parent }
    return [{ ...node, children: everyLine(path, item.items) }]
  })
}
