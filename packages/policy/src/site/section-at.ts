import type { DocumentItem, SectionItem } from '@gatewright/config'
import type { ConfigFiles } from './config-files.ts'

/** The container that begins at a line of a file; undefined if there is none, as for lines from a macro. */
export function sectionAt(files: ConfigFiles, path: string, line: number): SectionItem | undefined {
  return find(files.document(path)?.items ?? [], line)
}

/** The content of a section, or of a whole .htaccess file, which has line 0. */
export function itemsAt(
  files: ConfigFiles,
  { file, line }: { readonly file: string; readonly line: number },
): readonly DocumentItem[] {
  return (line === 0 ? files.document(file)?.items : sectionAt(files, file, line)?.items) ?? []
}

function find(items: readonly DocumentItem[], line: number): SectionItem | undefined {
  for (const item of items) {
    if (item.kind !== 'section') continue
    if ((item.line ?? 0) <= line && line <= (item.lastLine ?? 0)) return item
    const inner = find(item.items, line)
    if (inner !== undefined) return inner
  }
  return undefined
}
