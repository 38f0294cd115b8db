import { type DocumentSymbol, type FoldingRange, SymbolKind } from 'vscode-languageserver/node'
import type { Block, Outline } from './outline.ts'

/** Deeper sections are shown as if they were at this depth: no person nests further, and editors recurse. */
const DEEPEST = 20
const MOST = 5000

export function symbolsOf({ blocks }: Outline): DocumentSymbol[] {
  const top: DocumentSymbol[] = []
  const made = new Map<Block, { readonly children: DocumentSymbol[]; readonly depth: number }>()
  for (const block of blocks.slice(0, MOST)) {
    const parent = block.parent === null ? undefined : made.get(block.parent)
    const children: DocumentSymbol[] = []
    const range = { start: { line: block.start, character: 0 }, end: { line: block.end, character: 0 } }
    const symbol: DocumentSymbol = {
      name: `${block.name} ${block.argument}`.trim().slice(0, 250),
      kind: /^virtualhost$/i.test(block.name) ? SymbolKind.Class : SymbolKind.Namespace,
      range,
      selectionRange: { start: range.start, end: range.start },
      children,
    }
    const isShallow = parent === undefined || parent.depth < DEEPEST
    ;(parent?.children ?? top).push(symbol)
    made.set(block, isShallow ? { children, depth: (parent?.depth ?? 0) + 1 } : parent)
  }
  return top
}

export function foldingOf({ blocks }: Outline): FoldingRange[] {
  return blocks.slice(0, MOST).flatMap(({ start, end }) => (end - 1 > start ? [{ startLine: start, endLine: end - 1 }] : []))
}
