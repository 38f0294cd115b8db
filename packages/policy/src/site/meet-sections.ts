import type { PolicyServer } from '../policy-server.ts'
import { type BoundSection, SectionReader } from './bound-section.ts'
import { brokenFiles } from './broken-files.ts'
import { type Chain, findChains } from './chains.ts'
import { withConditions } from './conditional-chains.ts'
import type { ConfigFiles } from './config-files.ts'
import type { Remark } from './remark.ts'
import { MAX_REQUESTS, sampleRequests } from './sampled-requests.ts'
import { unmetSections, unreadRules } from './unmet-sections.ts'
import type { Variant } from './variant.ts'

/** A site for which to find requests to its sections. */
export interface SiteToMeet {
  /** Folders with .htaccess files. */
  readonly accessFolders: readonly string[]
  /** @throws ConfigError when a configuration does not load */
  open(variant: Variant): Promise<PolicyServer>
}

/** The sections of a configuration, and how requests meet them. */
export interface MetSections {
  readonly chains: readonly Chain[]
  readonly unmet: readonly BoundSection[]
  readonly unread: readonly Remark[]
  /** .htaccess files that the server cannot read. */
  readonly broken: ReadonlyMap<string, Remark>
  readonly before: Variant
}

/** Sends sample requests, and further ones if a folder is not reached by its URL. */
export async function meetSections(files: ConfigFiles, { accessFolders, open }: SiteToMeet): Promise<MetSections> {
  const { texts } = files
  const first = await open({ texts, folders: new Set(), after: AS_HTTPD })
  await first.close()
  const { configuration } = first
  const attempt = async (unreached: ReadonlySet<string>): Promise<MetSections> => {
    const {
      questions,
      complete: isComplete,
      folders,
      extraLines,
    } = sampleRequests(configuration, files, { accessFolders, unreached })
    const before: Variant = { texts, folders, after: [...AS_HTTPD, ...guarded(extraLines)] }
    const server = await open(before)
    try {
      const reader = new SectionReader(server, files)
      const sure = await findChains(server, reader, questions)
      const { chains, conditional, complete } = withConditions(server, reader, sure)
      const unmet = [...unmetSections(server, { files, reader, chains }), ...(complete ? [] : conditional)]
      const titles = conditional.map(({ title, file, line }) => `${title} (${file}:${line})`)
      const broken = brokenFiles(server, texts)
      const cause = isComplete
        ? UNREACHED
        : `this file was not checked, because more than ${MAX_REQUESTS} requests would be necessary: migrate a part of the tree`
      const unread = unreadRules(server, { files, reader, chains }, { broken, cause })
      return { chains, unmet, unread, broken, before: { ...before, conditional: titles } }
    } finally {
      await server.close()
    }
  }
  const met = await attempt(new Set())
  const titles = new Set(met.unmet.map(({ title }) => title))
  const lost = configuration.sections.flatMap(({ kind, title, match }) =>
    kind === 'Directory' && match?.pattern === null && match.wildcard === null && titles.has(title) ? [match.path] : [],
  )
  return lost.length === 0 ? met : attempt(new Set(lost))
}

const UNREACHED = 'no request reads this file: AllowOverride disables it, or no URL leads to its folder'

/** Both sides of a proof are read as httpd reads them. */
const AS_HTTPD = ['<IfModule mod_access_compat.c>', 'AccessCompatPrecedence httpd', '</IfModule>']

function guarded(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['<IfModule mod_alias.c>', ...lines, '</IfModule>']
}
