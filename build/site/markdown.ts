import { posix } from 'node:path'
import hljs from 'highlight.js/lib/core'
import apache from 'highlight.js/lib/languages/apache'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import shell from 'highlight.js/lib/languages/shell'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import MarkdownIt from 'markdown-it'
import { slugOf } from '../pages/links.ts'
import { linkFrom, placeOf } from './site-paths.ts'

const LANGUAGES = { apache, bash, json, python, shell, typescript, xml, yaml }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)
/** The names of languages as the project's pages write them. */
const ALIASES: Readonly<Record<string, string>> = {
  sh: 'bash',
  console: 'shell',
  ts: 'typescript',
  js: 'typescript',
  html: 'xml',
}

export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
  /** The text up to the next heading, without markup. */
  readonly below: string
}

export interface Rendered {
  readonly html: string
  /** That of the first heading, else ''. */
  readonly title: string
  readonly headings: readonly Heading[]
}

/** Highlights code as HTML. */
export function highlight(code: string, language: string): string {
  const name = ALIASES[language] ?? language
  return hljs.getLanguage(name) === undefined ? escapeText(code) : hljs.highlight(code, { language: name }).value
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? '&quot;')
}

/**
 * Renders a page of the project.
 * @param source its path in the project; links to pages that the site shows lead there, and links to other files become
 *   text
 * @param url its path in the site
 */
export function renderMarkdown(text: string, source: string, url: string): Rendered {
  const markdown = new MarkdownIt({ html: true, highlight })
  const tokens = markdown.parse(text.replace(/^<!--[\s\S]*?-->\s*/, ''), {})
  const headings: { level: number; id: string; text: string; below: string }[] = []
  const ids = new Set<string>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const inline = tokens[index + 1]
      const shown = plainText(inline.children ?? [])
      const id = uniqueId(slugOf(inline.content), ids)
      token.attrSet('id', id)
      headings.push({ level: Number(token.tag.slice(1)), id, text: shown, below: '' })
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const last = headings.at(-1)
      if (last !== undefined) last.below += `${plainText(token.children ?? [])} `
    }
    if (token.children !== null) rewriteLinks(token.children, source, url)
  }
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n'
  const fence = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (...parts) => fence?.(...parts).replace('<pre>', '<pre tabindex="0">') ?? ''
  markdown.renderer.rules.table_close = () => '</table></div>\n'
  return { html: markdown.renderer.render(tokens, markdown.options, {}), title: headings[0]?.text ?? '', headings }
}

type Token = ReturnType<MarkdownIt['parse']>[number]

function plainText(tokens: readonly Token[]): string {
  return tokens.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
}

function uniqueId(slug: string, known: Set<string>): string {
  let id = slug
  for (let n = 1; known.has(id); n++) id = `${slug}-${n}`
  known.add(id)
  return id
}

/** A link to a file that the site does not show keeps its text only. */
function rewriteLinks(tokens: Token[], source: string, url: string): void {
  let dropped = 0
  for (const token of tokens) {
    if (token.type === 'link_close' && dropped > 0) {
      dropped--
      hide(token)
      continue
    }
    if (token.type !== 'link_open') continue
    const target = targetOf(token.attrGet('href') ?? '', source, url)
    if (target !== null) token.attrSet('href', target)
    else {
      dropped++
      hide(token)
    }
  }
}

function hide(token: Token): void {
  token.type = 'text'
  token.content = ''
}

function targetOf(href: string, source: string, url: string): string | null {
  if (/^(?:[a-z]+:|#)/.test(href)) return href
  const [path, anchor] = href.split('#')
  const target = posix.normalize(posix.join(posix.dirname(source), decodeURI(path)))
  const place = placeOf(target) ?? placeOf(posix.join(target, 'README.md'))
  if (place === null) return null
  return `${linkFrom(url, place.url)}${anchor === undefined ? '' : `#${anchor}`}`
}
