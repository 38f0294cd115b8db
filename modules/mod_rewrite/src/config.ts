import type { SectionInfo, Server } from '@gatewright/api'
import type { RewriteCondition } from './condition.ts'
import type { RewriteMap } from './maps/rewrite-map.ts'
import { IGNORE_INHERIT, INHERIT, INHERIT_BEFORE, INHERIT_DOWN, INHERIT_DOWN_BEFORE, MERGE_BASE } from './options.ts'
import type { RewriteRule } from './rule.ts'

/**
 * Rules of the main server or of a virtual host. They are applied while URLs are translated, if the sections
 * of the URL turn the engine on.
 */
export interface ServerRules {
  /**
   * The server that the rules belong to. A virtual host without its own has those of the main server, which
   * are not applied.
   */
  readonly server: Server
  /** Bits of RewriteOptions. */
  options?: number
  /** Filled while the server's lines are read. Inherited rules are in a list of their own. */
  readonly rules: RewriteRule[]
  maps: ReadonlyMap<string, RewriteMap>
}

/** Configuration of a section or a server. Rules of sections are applied after access control. */
export interface RewriteConfig {
  /** null in sections. */
  readonly own: ServerRules | null
  /** The directory of a section, with a slash at its end; null at server level. */
  readonly directory: string | null
  engine?: boolean
  options?: number
  base?: string
  /** Filled while the section is read. Inherited rules are in a list of their own. */
  readonly rules: RewriteRule[]
  /** RewriteCond lines whose RewriteRule line has not been read yet. */
  pending: RewriteCondition[]
}

/** Servers with a directive of this module, at server level or in a section. */
const servers = new WeakSet<Server>()

export function createRewriteConfig(section: SectionInfo): RewriteConfig {
  const directory = directoryOf(section)
  if (!isInHtaccess(section)) servers.add(section.server)
  const own = directory === null ? noRules(section.server) : null
  return { own, directory, rules: [], pending: [] }
}

/** True for a .htaccess file and the sections in it, which do not give their server rules of its own. */
function isInHtaccess(section: SectionInfo): boolean {
  for (let each: SectionInfo | null = section; each !== null; each = each.parent) if (each.kind === '.htaccess') return true
  return false
}

export function mergeRewriteConfig(base: Readonly<RewriteConfig>, over: Readonly<RewriteConfig>): RewriteConfig {
  const options = over.options ?? base.options
  const keepsBase = ((options ?? 0) & MERGE_BASE) !== 0
  return {
    own: over.own === null ? base.own : base.own === null ? over.own : mergeServerRules(base.own, over.own),
    directory: over.directory,
    engine: over.engine ?? base.engine,
    options,
    base: over.base ?? (keepsBase ? base.base : undefined),
    rules: inherited(base, over, options ?? 0),
    pending: [],
  }
}

function mergeServerRules(base: Readonly<ServerRules>, over: Readonly<ServerRules>): ServerRules {
  const options = over.options ?? base.options
  const rules = inherited(base, over, options ?? 0)
  return {
    server: over.server,
    options,
    rules,
    maps: inherits(base, over, options ?? 0) === 'no' ? over.maps : new Map([...base.maps, ...over.maps]),
  }
}

function noRules(server: Server): ServerRules {
  return { server, rules: [], maps: new Map() }
}

/**
 * Rules of servers that use this module only in sections. Such a server may still inherit rules of the main
 * server.
 */
const ofSections = new WeakMap<Server, ServerRules>()

/**
 * The rules and maps of a server. A server without a directive of this module has the main server's maps, but
 * not its rules: `server` shows which server the result belongs to.
 */
export function serverRules({ own }: Readonly<RewriteConfig>, server: Server): ServerRules | null {
  if (own?.server === server || !servers.has(server)) return own
  let rules = ofSections.get(server)
  if (rules === undefined) {
    rules = own === null ? noRules(server) : mergeServerRules(own, noRules(server))
    ofSections.set(server, rules)
  }
  return rules
}

interface Inheriting {
  readonly options?: number
  readonly rules: RewriteRule[]
}

function inherited(base: Inheriting, over: Inheriting, options: number): RewriteRule[] {
  switch (inherits(base, over, options)) {
    case 'after':
      return [...over.rules, ...base.rules]
    case 'before':
      return [...base.rules, ...over.rules]
    default:
      return over.rules
  }
}

/** Where the rules of the outer scope are inserted, if they are inherited at all. */
function inherits(base: Inheriting, over: Inheriting, options: number): 'after' | 'before' | 'no' {
  const handedDown = ((over.options ?? 0) & IGNORE_INHERIT) === 0 ? (base.options ?? 0) : 0
  if ((options & INHERIT) !== 0 || (handedDown & INHERIT_DOWN) !== 0) return 'after'
  return (options & INHERIT_BEFORE) !== 0 || (handedDown & INHERIT_DOWN_BEFORE) !== 0 ? 'before' : 'no'
}

/**
 * What httpd uses as the directory of a section. For a section that is not a directory, no file name begins
 * with it.
 */
function directoryOf({ kind, argument, title }: SectionInfo): string | null {
  if (kind === 'server' || kind === 'VirtualHost') return null
  const path = kind === '.htaccess' ? title.slice(0, title.lastIndexOf('/')) : kind === 'If' ? '*If' : argument
  return path.endsWith('/') ? path : `${path}/`
}
