import type { PolicyServer } from '../policy-server.ts'
import { accessLines } from './access-lines.ts'
import { isHostLine } from './access-rules.ts'
import type { BoundSection, SectionReader } from './bound-section.ts'
import { brokenAbove } from './broken-files.ts'
import type { Chain } from './chains.ts'
import type { ConfigFiles } from './config-files.ts'
import { everyLine } from './read-nodes.ts'
import type { Remark } from './remark.ts'
import { unreadLines } from './unread-lines.ts'

/** Facts about a configuration after the requests. */
export interface MetFiles {
  readonly files: ConfigFiles
  readonly reader: SectionReader
  readonly chains: readonly Chain[]
}

/** Sections to which no chain leads. */
export function unmetSections(server: PolicyServer, { files, reader, chains }: MetFiles): BoundSection[] {
  const met = new Set(chains.flatMap(({ sections }) => sections))
  const ofServer = server.configuration.sections
    .filter(({ kind }) => kind !== 'server' && kind !== 'VirtualHost' && kind !== 'overlay')
    .map((section) => reader.read(section))
  return [...ofServer.filter((section) => !met.has(section)), ...unmetInAccessFiles({ files, reader, chains })]
}

/** Sections in .htaccess files are bound only when a request meets them. */
function unmetInAccessFiles({ files, reader, chains }: MetFiles): BoundSection[] {
  const sections = chains.flatMap((chain) => chain.sections)
  const accessFiles = new Set(sections.flatMap(({ file, line }) => (line === 0 ? [file] : [])))
  const met = new Set(sections.map(({ file, line }) => `${file}:${line}`))
  return [...accessFiles].flatMap((file) =>
    [...files.itemsOf(file)].flatMap(({ item }) => {
      if (item.kind !== 'section' || !/^(?:files(?:match)?|if|elseif|else)$/i.test(item.name)) return []
      const line = item.lastLine ?? 0
      if (met.has(`${file}:${line}`)) return []
      const lines = everyLine(file, item.items)
      const access = accessLines(lines, reader.sources)
      const title = `<${item.name} ${item.text}>`
      return [{ key: `${file}:${line}`, kind: 'Files' as const, parent: null, file, line, title, occasion: '', lines, access }]
    }),
  )
}

export interface WhyUnread {
  /** .htaccess files that the server cannot read. */
  readonly broken: ReadonlyMap<string, Remark>
  /** The remark about all others that were not read. */
  readonly cause: string
}

/**
 * Old rules that are not in force anywhere: they are harmless, but must not be mistaken for migrated ones.
 */
export function unreadRules(server: PolicyServer, { files, reader }: MetFiles, { broken, cause }: WhyUnread): Remark[] {
  const ofServer = new Set(server.configuration.includes.map(({ path }) => path))
  const read = new Set(reader.sections.flatMap(({ file }) => file))
  const bound = new Set(reader.sections.flatMap(({ access }) => access.lines.map(({ place }) => place.item)))
  return files.paths.flatMap((file) => {
    if (ofServer.has(file)) return unreadLines([...files.itemsOf(file)], bound).map((one) => ({ file, ...one }))
    if (read.has(file) || broken.has(file)) return []
    const { lines, obstacles } = accessLines(everyLine(file, files.document(file)?.items ?? []), reader.sources)
    const old = lines.find(isHostLine)
    const above = brokenAbove(file, broken)
    const text = above === undefined ? cause : `it combines with ${above.file}:${above.line}, which the server cannot read`
    const unread = old === undefined ? [] : [{ file, line: old.place.item.line ?? 1, text }]
    return [...obstacles.map(({ line, reason }) => ({ file, line, text: reason })), ...unread]
  })
}
