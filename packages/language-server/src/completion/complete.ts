import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver/node'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { wordsBefore } from '../documents/line-words.ts'
import type { Outline } from '../documents/outline.ts'
import { isAllowed, type Place } from '../documents/place.ts'
import { argumentItems } from './arguments.ts'

/** Where a person types. */
export interface Typing {
  readonly catalogue: Catalogue
  readonly place: Place
  /** Names of the sections around, the outermost first. */
  readonly around: readonly string[]
  /** The logical line up to the position. */
  readonly text: string
  readonly outlines: readonly Outline[]
  readonly defines: Readonly<Record<string, string>>
  readonly hasSnippets: boolean
}

/** An item, with the number of characters before the position that it replaces. */
export interface Completed {
  readonly items: readonly CompletionItem[]
  readonly replaces: number
}

export function complete(typing: Typing): Completed {
  const { text } = typing
  const variable = /\$\{(\w*)$/.exec(text)
  if (variable !== null) return { items: variableItems(typing), replaces: variable[1].length }
  const closing = /^\s*<\/(\w*)(>?)$/.exec(text)
  if (closing !== null) return closingItems(typing, closing[1].length)
  const opening = /^\s*<(\w*)$/.exec(text)
  if (opening !== null) return { items: sectionItems(typing, opening[1]), replaces: opening[1].length + 1 }
  const { words, partial } = wordsBefore(text)
  if (words.length === 0)
    return { items: partial.startsWith('#') ? [] : directiveItems(typing, partial), replaces: partial.length }
  if (words[0].startsWith('#') || words[0].startsWith('</')) return { items: [], replaces: 0 }
  return { items: argumentItems(typing, words[0].replace(/^</, ''), words.slice(1), partial), replaces: partial.length }
}

function directiveItems(typing: Typing, partial: string): CompletionItem[] {
  const start = partial.toLowerCase()
  const items: CompletionItem[] = []
  for (const entry of typing.catalogue.data.directives) {
    if (entry.name.startsWith('<') || !entry.name.toLowerCase().startsWith(start) || !isAllowed(entry, typing.place)) continue
    items.push({
      label: entry.name,
      kind: CompletionItemKind.Property,
      detail: entry.module,
      insertText: `${entry.name} `,
      sortText: entry.hasEffect ? entry.name : `~${entry.name}`,
      data: entry.name,
    })
  }
  return unique([...items, ...(start === '' ? sectionItems(typing, '') : [])])
}

function sectionItems({ catalogue, place, hasSnippets }: Typing, partial: string): CompletionItem[] {
  const start = `<${partial.toLowerCase()}`
  const items = catalogue.data.directives.flatMap((entry): CompletionItem[] => {
    const { name } = entry
    if (!name.startsWith('<') || !name.toLowerCase().startsWith(start) || !isAllowed(entry, place)) return []
    const bare = name.slice(1)
    const isPlain = /^<(?:Require(?:All|Any|None)|Else)$/.test(name)
    const text = hasSnippets ? `${name}${isPlain ? '' : ' ${1}'}>\n\t$0\n</${bare}>` : `${name}${isPlain ? '' : ' '}>`
    return [
      {
        label: `${name}>`,
        filterText: name,
        kind: CompletionItemKind.Module,
        detail: entry.module,
        insertText: text,
        insertTextFormat: hasSnippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
        data: name,
      },
    ]
  })
  return unique(items)
}

function closingItems({ around }: Typing, replaces: number): Completed {
  const name = around.at(-1)
  if (name === undefined) return { items: [], replaces: 0 }
  const item: CompletionItem = { label: `${name}>`, kind: CompletionItemKind.Module, insertText: `${name}>`, preselect: true }
  return { items: [item], replaces }
}

function variableItems({ defines, outlines }: Typing): CompletionItem[] {
  const names = new Map(Object.entries(defines))
  for (const { lines } of outlines)
    for (const { name, argument } of lines) {
      if (name.toLowerCase() !== 'define') continue
      const [variable = '', ...value] = argument.split(/\s+/)
      if (variable !== '') names.set(variable, value.join(' '))
    }
  return [...names].map(([name, value]) => ({
    label: name,
    kind: CompletionItemKind.Variable,
    detail: value,
    insertText: `${name}}`,
  }))
}

/** Several modules may declare a directive: it is shown once. */
function unique(items: readonly CompletionItem[]): CompletionItem[] {
  return [...new Map(items.map((item) => [item.label.toLowerCase(), item])).values()]
}
