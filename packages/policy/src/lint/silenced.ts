import type { DocumentItem } from '@gatewright/config'
import type { Place } from '../explanation.ts'
import type { ConfigFiles } from '../site/config-files.ts'

/**
 * `# gatewright-ignore GW007 reason`, alone or among other comments above a line, silences rules in that
 * line; at the start of a file, it applies to the whole file.
 */
export function isSilenced(files: ConfigFiles, rule: string, { file, line }: Place): boolean {
  return commentsAbove(files.document(file)?.items ?? [], line).some((text) => ignoredRules(text).includes(rule))
}

function ignoredRules(comment: string): string[] {
  const words = /^\s*gatewright-ignore((?:[\s,]+[A-Z]+\d+)+)/i.exec(comment)?.[1]
  return words === undefined ? [] : (words.toUpperCase().match(/[A-Z]+\d+/g) ?? [])
}

function commentsAbove(items: readonly DocumentItem[], line: number): string[] {
  let comments: string[] = []
  for (const item of items) {
    if (item.kind === 'comment') {
      comments.push(item.text)
      continue
    }
    if (item.kind === 'blank') {
      if (line > 0) comments = []
      continue
    }
    const first = item.line ?? 0
    if (line === 0 || (first <= line && line <= (item.lastLine ?? first))) return comments
    if (item.kind === 'section' && line <= lastLineOf(item)) return commentsAbove(item.items, line)
    comments = []
  }
  return line === 0 ? comments : []
}

function lastLineOf(item: Extract<DocumentItem, { kind: 'section' }>): number {
  return item.closing?.lastLine ?? Number.POSITIVE_INFINITY
}
