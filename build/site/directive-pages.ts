import type { Directive } from './directive-data.ts'
import type { SitePage } from './layout.ts'
import { escapeText, type Heading, highlight, renderMarkdown } from './markdown.ts'
import type { SearchItem } from './search-data.ts'
import { linkFrom } from './site-paths.ts'

const CORE = 'modules/core.html'

const CONTEXTS: Readonly<Record<string, string>> = {
  server: 'server',
  virtualhost: 'virtual host',
  directory: 'directory',
  htaccess: '.htaccess',
}

/** The anchor of a directive on the page of its module. */
export function anchorOf({ name }: Directive): string {
  return `directive-${name
    .replace(/^</, '')
    .replace(/[^\w-]/g, '-')
    .toLowerCase()}`
}

/** The page that describes the directive. */
function sourceOf({ folder }: Directive): string {
  return folder === 'core' ? 'docs/core-directives.md' : `modules/${folder}/README.md`
}

function urlOf(directive: Directive): string {
  return directive.folder === 'core' ? CORE : `modules/${directive.folder}.html`
}

/** The page of all directives, by letter. */
export function directiveIndex(directives: readonly Directive[]): SitePage {
  const url = 'directives.html'
  const letters = new Map<string, Directive[]>()
  for (const directive of directives) {
    const letter = directive.name.replace(/^</, '')[0].toUpperCase()
    letters.set(letter, [...(letters.get(letter) ?? []), directive])
  }
  const head = '<thead><tr><th>Directive</th><th>About</th><th>Where</th><th>Module</th></tr></thead>'
  const sections = [...letters].map(([letter, own]) => {
    const rows = own.map((directive) => {
      const link = escapeText(linkFrom(url, urlOf(directive)))
      return (
        `<tr><td><a href="${link}#${anchorOf(directive)}"><code>${escapeText(shownName(directive))}</code></a></td>` +
        `<td>${aboutOf(directive)}</td><td>${contextsOf(directive)}</td><td><a href="${link}">${directive.folder}</a></td></tr>`
      )
    })
    return `<h2 id="${letter}">${letter}</h2>\n<div class="table by-letter" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>\n${rows.join('\n')}\n</tbody></table></div>`
  })
  const jumps = [...letters.keys()].map((letter) => `<a href="#${letter}">${letter}</a>`).join(' ')
  const html = `<h1>Directives</h1>
<p>All ${directives.length} directives of the server and its modules. Where: s in the main server, v in a virtual host, d in
<code>&lt;Directory&gt;</code>, <code>&lt;Location&gt;</code>, <code>&lt;Files&gt;</code> and <code>&lt;If&gt;</code>, h in .htaccess.</p>
<p class="letters">${jumps}</p>
${sections.join('\n')}`
  return { url, group: 'Directives', title: 'All directives', html, headings: [] }
}

/** The reference of a module's directives, for the end of its page. */
export function directiveReference(
  directives: readonly Directive[],
  url: string,
): { readonly html: string; readonly headings: readonly Heading[] } {
  if (directives.length === 0) return { html: '', headings: [] }
  const sections = directives.map((directive) => sectionOf(directive, url))
  const headings = directives.map((one) => ({ level: 3, id: anchorOf(one), text: shownName(one), below: '' }))
  return {
    html: `<h2 id="directive-reference">Directive reference</h2>\n${sections.join('\n')}`,
    headings: [{ level: 2, id: 'directive-reference', text: 'Directive reference', below: '' }, ...headings],
  }
}

/** The page of the directives that no module package declares. */
export function coreDirectives(directives: readonly Directive[]): SitePage {
  const { html, headings } = directiveReference(directives, CORE)
  const opening =
    '<h1>core</h1>\n<p>Directives that are there without any LoadModule line. ' +
    '<a href="../docs/core-directives.html">Directives of the core</a> lists them by subject.</p>'
  return { url: CORE, group: 'Modules', title: 'core', html: `${opening}\n${html}`, headings }
}

export function directiveItems(directives: readonly Directive[]): SearchItem[] {
  return directives.map((directive) => ({
    title: directive.name,
    kind: directive.folder,
    url: `${urlOf(directive)}#${anchorOf(directive)}`,
    about: directive.help ?? '',
    text: directive.manual?.text ?? '',
  }))
}

function sectionOf(directive: Directive, url: string): string {
  const { manual, override, hasEffect } = directive
  const facts: [string, string][] = []
  const syntax = manual?.syntax.filter((form) => form.includes(' ')) ?? []
  if (syntax.length > 0) facts.push(['Syntax', syntax.map((form) => `<code>${escapeText(form)}</code>`).join('<br>')])
  if (manual?.default) facts.push(['Default', `<code>${escapeText(manual.default)}</code>`])
  facts.push(['Context', directive.context.map((one) => CONTEXTS[one] ?? escapeText(one)).join(', ')])
  if (override.length > 0) facts.push(['AllowOverride', override.map((one) => `<code>${escapeText(one)}</code>`).join(', ')])
  if (manual?.since) facts.push(['Since', escapeText(manual.since)])
  const rows = facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')
  const example = manual?.example ? `<pre tabindex="0"><code>${highlight(manual.example, 'apache')}</code></pre>` : ''
  const text = manual?.text ? renderMarkdown(manual.text, sourceOf(directive), url).html : ''
  return `<section class="directive" id="${anchorOf(directive)}">
<h3><code>${escapeText(shownName(directive))}</code></h3>
<p>${aboutOf(directive)}${hasEffect ? '' : ' <em>It is accepted and has no effect.</em>'}</p>
<dl class="facts">${rows}</dl>
${text}${example}
</section>`
}

/** Containers in angle brackets. */
function shownName({ name }: Directive): string {
  return name.startsWith('<') ? `${name}>` : name
}

function aboutOf({ help }: Directive): string {
  return escapeText(help ?? '')
}

function contextsOf({ context }: Directive): string {
  return escapeText(context.map((one) => (CONTEXTS[one] ?? one).replace('.', '')[0]).join(''))
}
