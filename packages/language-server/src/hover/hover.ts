import type { Catalogue } from '../catalogue/catalogue.ts'
import { REQUIRE_FORMS } from '../catalogue/require-forms.ts'
import { wordAt } from '../documents/line-words.ts'
import { directiveText } from './directive-text.ts'

/** What to show about a position of a line, in Markdown; null for nothing. */
export function hoverText(
  catalogue: Catalogue,
  text: string,
  character: number,
  defines: Readonly<Record<string, string>>,
): string | null {
  for (const match of text.matchAll(/\$\{(\w+)\}/g)) {
    if (match.index > character || character > match.index + match[0].length) continue
    const value = Object.hasOwn(defines, match[1]) ? defines[match[1]] : undefined
    return value === undefined ? null : `\`${match[0]}\` = \`${value}\``
  }
  const at = wordAt(text, character)
  if (at === null || /^\s*#/.test(text)) return null
  const directive = /^\s*<?\/?([\w-]+)/.exec(text)?.[1] ?? ''
  if (at.index === 0) return directiveText(catalogue, directive)
  if (directive.toLowerCase() === 'require') {
    const forms = Object.hasOwn(REQUIRE_FORMS, at.word) ? REQUIRE_FORMS[at.word] : undefined
    if (forms !== undefined) return forms.map(({ words, about }) => `\`Require ${words}\`: ${about}`).join('\n\n')
  }
  return null
}
