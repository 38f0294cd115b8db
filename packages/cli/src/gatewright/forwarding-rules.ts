import type { DocumentItem } from '@gatewright/config'

/**
 * The RewriteRule lines that pass a request to mod_proxy, with their conditions. A server without that module
 * rejects such requests before it evaluates access rules, which is not representative of the server for which
 * the rules were written.
 */
export function forwardingRules(items: readonly DocumentItem[]): ReadonlySet<DocumentItem> {
  const found = new Set<DocumentItem>()
  let conditions: DocumentItem[] = []
  for (const item of items) {
    if (item.kind !== 'directive') continue
    const name = item.name.toLowerCase()
    if (name === 'rewritecond') conditions.push(item)
    else if (name === 'rewriterule') {
      if (FORWARDS.test(item.words[2] ?? '')) for (const one of [...conditions, item]) found.add(one)
      conditions = []
    }
  }
  return found
}

const FORWARDS = /^\[(?:.*,)?\s*(?:p|proxy)\s*(?:,.*)?\]$/i
