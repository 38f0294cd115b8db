import { lineText, scanLines, trimBlanks } from '../lines.ts'
import { nextWord, splitWords } from '../words.ts'
import type { ClosingLine, ConfigDocument, DocumentItem } from './document.ts'

/** Sections may be nested to any depth; the tree is built without recursion. */
interface OpenSection {
  readonly name: string
  readonly items: DocumentItem[]
  close(closing: ClosingLine | null): DocumentItem
}

/**
 * Parses a file into a tree. Never fails: errors in the file are kept unchanged.
 * @param text the file's bytes, one character each
 */
export function parseDocument(text: string): ConfigDocument {
  const items: DocumentItem[] = []
  const open: OpenSection[] = []
  const here = (): DocumentItem[] => open.at(-1)?.items ?? items
  const endInnermost = (closing: ClosingLine | null): void => {
    const section = open.pop()
    if (section !== undefined) here().push(section.close(closing))
  }
  for (const { joined, start, end, firstLine, line } of scanLines(text)) {
    const placed = { raw: text.slice(start, end), line: firstLine, lastLine: line }
    const meaning = lineText(joined)
    if (meaning === '') here().push({ kind: 'blank', ...placed })
    else if (meaning.startsWith('#')) here().push({ kind: 'comment', text: meaning.slice(1), ...placed })
    else if (meaning.startsWith('</')) {
      const name = nextWord(meaning).word.replace(/^<\//, '').replace(/>$/, '')
      if (open.at(-1)?.name.toLowerCase() === name.toLowerCase()) endInnermost({ name, ...placed })
      else here().push({ kind: 'stray-closing', name, ...placed })
    } else if (meaning.startsWith('<')) open.push(openSection(meaning, placed))
    else {
      const { word, rest } = nextWord(meaning)
      here().push({ kind: 'directive', name: word, text: rest, words: splitWords(rest), ...placed })
    }
  }
  while (open.length > 0) endInnermost(null)
  return { items }
}

function openSection(
  meaning: string,
  placed: { readonly raw: string; readonly line: number; readonly lastLine: number },
): OpenSection {
  const { word, rest } = nextWord(meaning)
  // `<IfModule>` has its bracket in the same word.
  const bare = rest === '' && word.endsWith('>')
  const name = (bare ? word.slice(0, -1) : word).slice(1)
  const close = rest.lastIndexOf('>')
  const text = trimBlanks(close < 0 ? rest : rest.slice(0, close))
  const items: DocumentItem[] = []
  return {
    name,
    items,
    close: (closing) => ({ kind: 'section', name, text, words: splitWords(text), ...placed, items, closing }),
  }
}
