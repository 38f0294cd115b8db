import type { DirectiveEntry } from '@gatewright/core'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { fixedWords } from '../catalogue/fixed-words.ts'

/** The description of a directive in Markdown, or null if no installed module knows it. */
export function directiveText(catalogue: Catalogue, name: string): string | null {
  const entries = catalogue.find(name)
  const manual = catalogue.manual(name)
  if (entries.length === 0 && manual.length === 0) return null
  return [
    ...(entries.length === 0 ? manual.map(({ directive }) => `**${directive}**`) : entries.map(headOf)),
    ...(manual.length === 0 ? [syntaxOf(catalogue, name)] : []),
    ...manual.flatMap((page) => {
      const standard = page.default === null ? '' : `\n\nDefault: \`${page.default}\``
      const since = page.since === null ? '' : `\n\nSince: ${page.since}`
      const syntax = page.syntax.filter((form) => form.includes(' ')).map((form) => `    ${form}`)
      return [
        ...(syntax.length === 0 ? [] : [syntax.join('\n')]),
        `${page.text}${standard}${since}`.trim(),
        ...(page.example === null ? [] : [`\`\`\`apacheconf\n${page.example}\n\`\`\``]),
      ]
    }),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** For directives without a manual page: their words. */
function syntaxOf(catalogue: Catalogue, name: string): string {
  const [first] = catalogue.find(name)
  const words = fixedWords(catalogue, name, 0)
  return first === undefined || words.length === 0 ? '' : `    ${first.name} ${words.join('|')}`
}

const CONTEXTS: Readonly<Record<string, string>> = {
  server: 'server config',
  virtualhost: 'virtual host',
  directory: 'directory',
  htaccess: '.htaccess',
  proxy: 'proxy',
}

function headOf({ name, source, context, override, help, hasEffect }: DirectiveEntry): string {
  const page = source.replace(/\.c$/, '')
  const classes = override.length === 0 ? '' : ` · AllowOverride ${override.join(' or ')}`
  const shown = name.startsWith('<') ? `${name}>` : name
  return [
    `**${shown.replace('<', '\\<')}** (${page})`,
    ...(help === null ? [] : [help]),
    `Context: ${context.map((one) => CONTEXTS[one] ?? one).join(', ')}${classes}`,
    ...(hasEffect ? [] : ['Accepted without effect by this server.']),
  ].join('\n\n')
}
