import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { type DeclarationFile, type DeclaredName, declarationsOf } from '../api-report/surface.ts'
import { ROOT } from '../inputs.cjs'
import type { SitePage } from './layout.ts'
import { escapeText, highlight, renderMarkdown } from './markdown.ts'
import type { SearchItem } from './search-data.ts'

const API = join(ROOT, 'packages/api')
const PRINTER = ts.createPrinter({ removeComments: true })

interface Symbol {
  readonly name: string
  /** `@gatewright/api/text` */
  readonly entry: string
  readonly kind: string
  readonly summary: string
  readonly page: SitePage
}

/** The pages of the module API: one for each symbol that modules can import, and lists of them. */
export function apiPages(): { readonly pages: SitePage[]; readonly items: SearchItem[]; readonly list: string } {
  const entries = entriesOf()
  // Entries share files, which are parsed once.
  const files = new Map<string, DeclarationFile>()
  const declared = entries.flatMap(({ entry, file }) => declarationsOf(file, files).map((one) => ({ entry, one })))
  const names = new Set(declared.map(({ one }) => one.name))
  const symbols = new Map<string, Symbol>()
  for (const { entry, one } of declared) if (!symbols.has(one.name)) symbols.set(one.name, symbolOf(entry, one, names))
  const sorted = [...symbols.values()].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  return {
    pages: sorted.map(({ page }) => page),
    items: sorted.map(({ name, entry, summary, page }) => ({
      title: name,
      kind: entry,
      url: page.url,
      about: summary,
      text: page.headings.map(({ text }) => text).join(' '),
    })),
    list: entries
      .map(({ entry }) =>
        listOf(
          entry,
          sorted.filter((one) => one.entry === entry),
        ),
      )
      .join('\n'),
  }
}

/** The entries that package.json exports, with the sources that the build makes them of. */
function entriesOf(): { readonly entry: string; readonly file: string }[] {
  const manifest: { exports: Record<string, unknown> } = JSON.parse(readFileSync(join(API, 'package.json'), 'utf8'))
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    const file: unknown = typeof target === 'object' && target !== null && Reflect.get(target, 'gatewright-source')
    if (typeof file !== 'string') return []
    return [{ entry: `@gatewright/api${path.slice(1)}`, file: join(API, file) }]
  })
}

function symbolOf(entry: string, { name, nodes, source }: DeclaredName, names: ReadonlySet<string>): Symbol {
  const url = `api/${name}.html`
  const doc = docOf(nodes[0], source)
  const kind = kindOf(nodes[0])
  const code = nodes.map((node) => codeOf(node, source)).join('\n\n')
  const members = nodes.flatMap((node) => membersOf(node, source))
  const documented = members.filter((member) => member.doc !== '')
  const html = [
    `<h1>${name}</h1>`,
    `<p class="facts"><span>${kind}</span> <code>import { ${name} } from '${entry}'</code></p>`,
    markdown(doc, url, names),
    `<pre class="declaration" tabindex="0"><code>${linked(highlight(code, 'ts'), name, names)}</code></pre>`,
    documented.length === 0 ? '' : '<h2 id="members">Members</h2>',
    ...documented.map(
      (member) =>
        `<section class="member" id="${member.name}"><h3><code>${linked(highlight(member.code, 'ts'), name, names)}</code></h3>` +
        `${markdown(member.doc, url, names)}</section>`,
    ),
  ]
  const headings = documented.map((member) => ({ level: 2, id: member.name, text: member.name, below: '' }))
  const page: SitePage = { url, group: 'Module API', title: name, html: html.join('\n'), headings }
  return { name, entry, kind, summary: firstSentence(doc), page }
}

function listOf(entry: string, symbols: readonly Symbol[]): string {
  const rows = symbols.map(
    ({ name, kind, summary }) =>
      `<tr><td><a href="${name}.html"><code>${name}</code></a></td><td>${kind}</td><td>${escapeText(summary)}</td></tr>`,
  )
  const head = '<tr><th>Name</th><th>Kind</th><th>About</th></tr>'
  return `<h2 id="${entry}">${entry}</h2>\n<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n<thead>${head}</thead>\n<tbody>${rows.join('\n')}</tbody></table></div>`
}

function kindOf(node: ts.Statement): string {
  if (ts.isInterfaceDeclaration(node)) return 'interface'
  if (ts.isClassDeclaration(node)) return 'class'
  if (ts.isTypeAliasDeclaration(node)) return 'type'
  return ts.isFunctionDeclaration(node) ? 'function' : 'constant'
}

/** The declaration without comments, indented by two blanks. */
function codeOf(node: ts.Node, source: ts.SourceFile): string {
  const text = PRINTER.printNode(ts.EmitHint.Unspecified, node, source).replace(/^export declare /, 'export ')
  return text.replaceAll(/^ +/gm, (blanks) => ' '.repeat(blanks.length / 2))
}

interface Member {
  readonly name: string
  readonly code: string
  readonly doc: string
}

function membersOf(node: ts.Statement, source: ts.SourceFile): Member[] {
  const members = ts.isInterfaceDeclaration(node)
    ? node.members
    : ts.isClassDeclaration(node)
      ? node.members
      : ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)
        ? node.type.members
        : []
  return [...members].flatMap((member): Member[] => {
    const { name } = member
    if (name === undefined || ts.isPrivateIdentifier(name)) return []
    return [{ name: name.getText(source), code: codeOf(member, source), doc: docOf(member, source) }]
  })
}

/** A comment as Markdown: its text, then its tags. */
function docOf(node: ts.Node, source: ts.SourceFile): string {
  const [doc] = ts
    .getJSDocCommentsAndTags(node)
    .filter((one) => ts.isJSDoc(one))
    .slice(-1)
  if (doc === undefined) return ''
  const tags = (doc.tags ?? []).flatMap((tag) => {
    const text = ts.getTextOfJSDocComment(tag.comment) ?? ''
    const words = tag.tagName.text
    if (words === 'module' || words === 'public' || words === 'internal') return []
    if (words === 'suppliedByModules') return ['Objects of this type are made by modules.']
    const subject = ts.isJSDocParameterTag(tag) ? ` \`${tag.name.getText(source)}\`` : ''
    return [`*${TAG_WORDS[words] ?? words}*${subject}${text === '' ? '' : `: ${text}`}`]
  })
  return [ts.getTextOfJSDocComment(doc.comment) ?? '', ...tags].filter((text) => text !== '').join('\n\n')
}

const TAG_WORDS: Readonly<Record<string, string>> = {
  param: 'Parameter',
  returns: 'Returns',
  throws: 'Throws',
  since: 'Since',
  deprecated: 'Deprecated',
  example: 'Example',
  see: 'See',
  default: 'Default',
}

function markdown(doc: string, url: string, names: ReadonlySet<string>): string {
  const text = doc.replace(/\{@link\s+([\w.]+)(?:[\s|]+([^}]*))?\}/g, (_, target: string, shown?: string) => {
    const [name, member] = target.split('.')
    const label = shown?.trim() || `\`${target}\``
    return names.has(name) ? `[${label}](${name}.html${member === undefined ? '' : `#${member}`})` : label
  })
  return doc === '' ? '' : renderMarkdown(text, 'packages/api/README.md', url).html
}

/** Highlighted code in which the names of other symbols lead to their pages. */
function linked(html: string, own: string, names: ReadonlySet<string>): string {
  const link = (text: string): string =>
    text.replace(/\b[A-Za-z_]\w*\b/g, (word) =>
      word !== own && /^[A-Z]/.test(word) && names.has(word) ? `<a href="${word}.html">${word}</a>` : word,
    )
  return html
    .split(/(<[^>]+>|&\w+;)/)
    .map((piece, at) => (at % 2 === 0 ? link(piece) : piece))
    .join('')
}

function firstSentence(doc: string): string {
  const plain = doc.replace(/\{@link\s+([^}]+)\}/g, '$1').replace(/\s+/g, ' ')
  return /^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain
}
