import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver/node'
import { fixedWords, SIGNED } from '../catalogue/fixed-words.ts'
import { REQUIRE_FORMS, REWRITE_FLAGS } from '../catalogue/require-forms.ts'
import type { Typing } from './complete.ts'

/** Items for an argument. @param before the arguments before it */
export function argumentItems(typing: Typing, directive: string, before: readonly string[], partial: string): CompletionItem[] {
  const name = directive.toLowerCase()
  const own = Object.hasOwn(OWN, name) ? OWN[name]?.(typing, before, partial) : undefined
  if (own !== undefined) return own
  const sign = /^[+-]/.exec(partial)?.[0] ?? ''
  const words = fixedWords(typing.catalogue, name, before.length)
  const given = new Set(before.map((word) => word.toLowerCase()))
  const open = words.filter((word) => !given.has(word.toLowerCase()))
  const signed = SIGNED.has(name) && sign === '' ? open.filter((word) => !/^(?:none|all)$/i.test(word)) : []
  return [
    ...open.map((word) => wordItem(`${sign}${word}`)),
    ...signed.flatMap((word) => [wordItem(`+${word}`), wordItem(`-${word}`)]),
  ]
}

type Completer = (typing: Typing, before: readonly string[], partial: string) => CompletionItem[] | undefined

/** Directives whose arguments come from elsewhere than from fixed words. */
const OWN: Readonly<Record<string, Completer>> = {
  require: requireItems,
  loadmodule: (typing, before) => moduleItems(typing, before),
  ifmodule: ({ catalogue }) =>
    catalogue.data.modules.flatMap(({ name }) => [wordItem(`mod_${name.replace(/_module$/, '')}.c`), wordItem(name)]),
  authbasicprovider: ({ catalogue }) => catalogue.data.authn.map((name) => wordItem(name)),
  authdigestprovider: ({ catalogue }) => catalogue.data.authn.map((name) => wordItem(name)),
  authformprovider: ({ catalogue }) => catalogue.data.authn.map((name) => wordItem(name)),
  authnprovideralias: ({ catalogue }, before) => (before.length === 0 ? catalogue.data.authn.map((name) => wordItem(name)) : []),
  authzprovideralias: ({ catalogue }, before) => (before.length === 0 ? catalogue.data.authz.map((name) => wordItem(name)) : []),
  allowoverridelist: ({ catalogue }) =>
    catalogue.data.directives.flatMap((entry) => (entry.context.includes('htaccess') ? [wordItem(entry.name)] : [])),
  use: ({ outlines }, before) => (before.length === 0 ? macroNames(outlines).map((name) => wordItem(name)) : []),
  ifdefine: ({ defines }) => Object.keys(defines).map((name) => wordItem(name)),
  rewriterule: (_typing, _before, partial) => flagItems(partial),
  rewritecond: (_typing, _before, partial) => flagItems(partial),
}

function requireItems({ catalogue, hasSnippets }: Typing, before: readonly string[]): CompletionItem[] {
  const said = before.filter((word) => word.toLowerCase() !== 'not')
  if (said.length > 0) {
    if (said[0] === 'all') return said.length === 1 ? ['granted', 'denied'].map((word) => wordItem(word)) : []
    return []
  }
  const items = catalogue.data.authz.flatMap((provider): CompletionItem[] => {
    const forms = REQUIRE_FORMS[provider] ?? [{ words: provider, snippet: `${provider} `, about: '' }]
    return forms.map(({ words, snippet, about }) => ({
      label: words,
      kind: CompletionItemKind.Value,
      detail: about,
      insertText: hasSnippets ? snippet : words,
      insertTextFormat: hasSnippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    }))
  })
  return before.length === 0 ? [...items, wordItem('not')] : items
}

function moduleItems({ catalogue }: Typing, before: readonly string[]): CompletionItem[] {
  const [named] = before
  if (named === undefined)
    return catalogue.data.modules.map(({ name, path }) => ({ ...wordItem(name), insertText: `${name} ${path}` }))
  return catalogue.data.modules.filter(({ name }) => name === named).map(({ path }) => wordItem(path))
}

function macroNames(outlines: Typing['outlines']): string[] {
  return outlines.flatMap(({ blocks }) =>
    blocks.flatMap(({ name, argument }) => (name.toLowerCase() === 'macro' ? [argument.split(/\s+/)[0] ?? ''] : [])),
  )
}

/** Flags in brackets; the editor replaces the whole word, so each item repeats what is before its flag. */
function flagItems(partial: string): CompletionItem[] {
  const typed = /^\[(?:.*,)?/.exec(partial)?.[0]
  if (typed === undefined) return []
  return REWRITE_FLAGS.map(([flag, about]) => ({
    label: flag,
    kind: CompletionItemKind.EnumMember,
    detail: about,
    filterText: `${typed}${flag}`,
    insertText: `${typed}${flag}`,
  }))
}

function wordItem(word: string): CompletionItem {
  return { label: word, kind: CompletionItemKind.EnumMember }
}
