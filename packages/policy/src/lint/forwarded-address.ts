import type { DirectiveItem } from '@gatewright/config'
import type { Place } from '../explanation.ts'
import type { LintedSite } from '../site/linted-site.ts'

/**
 * Header fields in which proxies report the address of their client, and in which clients can send any value.
 */
export const FORWARDED_FIELD: RegExp =
  /\b(x-forwarded-for|x-real-ip|x-client-ip|client-ip|true-client-ip|x-cluster-client-ip|cf-connecting-ip)\b/i

/** Directives of some names, in server files and .htaccess files. */
export function directivesNamed({ files }: LintedSite, names: RegExp): { readonly item: DirectiveItem; readonly place: Place }[] {
  return [...files.items()].flatMap(({ path, item }) =>
    item.kind === 'directive' && names.test(item.name) ? [{ item, place: { file: path, line: item.line ?? 0 } }] : [],
  )
}
