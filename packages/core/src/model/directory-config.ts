import type { Condition, OptionName, ResourceLimit, Text } from '@gatewright/api'
import type { LevelSettings } from '@gatewright/log'
import { mergeLevels } from '@gatewright/log'
import { type EtagBits, mergeEtag, UNSET_ETAG } from '../base/etag-bits.ts'
import type { Section } from './section.ts'

/** Bits of Options. All does not include MultiViews. */
export const OPT_INDEXES = 1
export const OPT_INCLUDES = 2
export const OPT_FOLLOW_SYM_LINKS = 4
export const OPT_EXEC_CGI = 8
export const OPT_SYM_LINKS_IF_OWNER = 16
export const OPT_MULTI_VIEWS = 32
/** Pages with elements may run programs; without effect unless OPT_INCLUDES is set, too. */
export const OPT_INCLUDES_EXEC = 64
export const OPT_ALL: number = OPT_INDEXES | OPT_INCLUDES | OPT_FOLLOW_SYM_LINKS | OPT_EXEC_CGI | OPT_INCLUDES_EXEC

export const OPTION_BITS: Readonly<Record<OptionName, number>> = {
  Indexes: OPT_INDEXES,
  Includes: OPT_INCLUDES | OPT_INCLUDES_EXEC,
  IncludesNOEXEC: OPT_INCLUDES,
  FollowSymLinks: OPT_FOLLOW_SYM_LINKS,
  SymLinksIfOwnerMatch: OPT_SYM_LINKS_IF_OWNER,
  ExecCGI: OPT_EXEC_CGI,
  MultiViews: OPT_MULTI_VIEWS,
}

/**
 * Options as one section states them: either a complete set, or options to add to and remove from the
 * inherited set.
 */
export interface OptionsSetting {
  readonly set: number | undefined
  readonly add: number
  readonly remove: number
}

/** An ErrorDocument: a text, a local path, a full URL, or the built-in page. */
export type ErrorDocument =
  | { readonly kind: 'text'; readonly text: Text }
  | { readonly kind: 'path'; readonly path: Text }
  | { readonly kind: 'url'; readonly url: Text }
  | { readonly kind: 'default' }

/** The directives that AllowOverride and AllowOverrideList permit in .htaccess files. */
export interface OverrideGrant {
  readonly bits: number
  /** The options that `Options=` lists; OPT bits. */
  readonly options: number
  readonly nonfatalOverride: boolean
  readonly nonfatalUnknown: boolean
}

/** The default of AllowOverride. */
export const NO_GRANT: OverrideGrant = { bits: 0, options: 0, nonfatalOverride: false, nonfatalUnknown: false }

/**
 * Whether the server reads .htaccess files. httpd also reads files that may not override anything in two
 * cases: if `Nonfatal` defines how rejected directives are handled, and if no AllowOverride line applies, in
 * which case every directive is rejected.
 */
export function readsHtaccess({ override, overrideList }: Pick<CoreDirectoryConfig, 'override' | 'overrideList'>): boolean {
  if (overrideList !== undefined && overrideList.size > 0) return true
  return override === undefined || override.bits !== 0 || override.nonfatalOverride || override.nonfatalUnknown
}

export interface IfSection {
  readonly section: Section
  /** null for Else. */
  readonly condition: Condition | null
  readonly chain: 'if' | 'elseif' | 'else'
}

/** Core's per-directory configuration. Undefined means that the section does not set the value. */
export interface CoreDirectoryConfig {
  options: OptionsSetting
  override?: OverrideGrant
  overrideList?: ReadonlySet<string>
  errorDocuments?: ReadonlyMap<number, ErrorDocument>
  forceType?: string | null
  setHandler?: { readonly text: Text } | null
  addDefaultCharset?: string | null
  acceptPathInfo?: 'on' | 'off' | 'default'
  etag: EtagBits
  contentDigest?: boolean
  limitRequestBody?: number
  limitXmlRequestBody?: number
  /** Maximum number of ranges; 0 for none, Infinity for no limit. */
  maxRanges?: number
  maxRangeOverlaps?: number
  maxRangeReversals?: number
  serverSignature?: 'off' | 'on' | 'email'
  useCanonicalName?: 'on' | 'off' | 'dns'
  useCanonicalPhysicalPort?: boolean
  hostnameLookups?: 'on' | 'off' | 'double'
  /** CGIPassAuth. */
  cgiPassAuth?: boolean
  /** RLimitCPU, in seconds. */
  cpuLimit?: ResourceLimit
  /** RLimitMEM, in bytes. */
  memoryLimit?: ResourceLimit
  /** RLimitNPROC. */
  processLimit?: ResourceLimit
  /** CGIVar REQUEST_URI. */
  cgiRequestUri?: 'current' | 'original'
  qualifyRedirectUrl?: boolean
  levels?: LevelSettings
  /** Names of filters in the order of SetOutputFilter. */
  outputFilters?: readonly string[]
  /** Names of filters in the order of SetInputFilter. */
  inputFilters?: readonly string[]
  readonly fileSections: readonly Section[]
  readonly ifSections: readonly IfSection[]
}

/** The same while a section is being bound. */
export interface MutableCoreDirectory extends CoreDirectoryConfig {
  errorDocuments?: Map<number, ErrorDocument>
  readonly fileSections: Section[]
  readonly ifSections: IfSection[]
}

export function createCoreDirectory(): MutableCoreDirectory {
  return {
    options: { set: undefined, add: 0, remove: 0 },
    etag: UNSET_ETAG,
    fileSections: [],
    ifSections: [],
  }
}

export function mergeCoreDirectory(
  base: Readonly<CoreDirectoryConfig>,
  over: Readonly<CoreDirectoryConfig>,
): CoreDirectoryConfig {
  return {
    options: mergeOptions(base, over.options),
    override: over.override ?? base.override,
    overrideList: over.overrideList ?? base.overrideList,
    errorDocuments:
      over.errorDocuments === undefined ? base.errorDocuments : new Map([...(base.errorDocuments ?? []), ...over.errorDocuments]),
    forceType: over.forceType !== undefined ? over.forceType : base.forceType,
    setHandler: over.setHandler !== undefined ? over.setHandler : base.setHandler,
    addDefaultCharset: over.addDefaultCharset !== undefined ? over.addDefaultCharset : base.addDefaultCharset,
    acceptPathInfo: over.acceptPathInfo ?? base.acceptPathInfo,
    etag: mergeEtag(base.etag, over.etag),
    contentDigest: over.contentDigest ?? base.contentDigest,
    limitRequestBody: over.limitRequestBody ?? base.limitRequestBody,
    limitXmlRequestBody: over.limitXmlRequestBody ?? base.limitXmlRequestBody,
    maxRanges: over.maxRanges ?? base.maxRanges,
    maxRangeOverlaps: over.maxRangeOverlaps ?? base.maxRangeOverlaps,
    maxRangeReversals: over.maxRangeReversals ?? base.maxRangeReversals,
    serverSignature: over.serverSignature ?? base.serverSignature,
    useCanonicalName: over.useCanonicalName ?? base.useCanonicalName,
    useCanonicalPhysicalPort: over.useCanonicalPhysicalPort ?? base.useCanonicalPhysicalPort,
    hostnameLookups: over.hostnameLookups ?? base.hostnameLookups,
    cgiPassAuth: over.cgiPassAuth ?? base.cgiPassAuth,
    cpuLimit: over.cpuLimit ?? base.cpuLimit,
    memoryLimit: over.memoryLimit ?? base.memoryLimit,
    processLimit: over.processLimit ?? base.processLimit,
    cgiRequestUri: over.cgiRequestUri ?? base.cgiRequestUri,
    qualifyRedirectUrl: over.qualifyRedirectUrl ?? base.qualifyRedirectUrl,
    levels:
      over.levels === undefined ? base.levels : base.levels === undefined ? over.levels : mergeLevels(base.levels, over.levels),
    outputFilters: over.outputFilters ?? base.outputFilters,
    inputFilters: over.inputFilters ?? base.inputFilters,
    fileSections: concat(base.fileSections, over.fileSections),
    ifSections: concat(base.ifSections, over.ifSections),
  }
}

/** The effective options: FollowSymLinks if nothing else is set. */
export function effectiveOptions(config: CoreDirectoryConfig): number {
  const { set, add, remove } = config.options
  return ((set ?? OPT_FOLLOW_SYM_LINKS) | add) & ~remove
}

interface Signed {
  readonly set: number | undefined
  readonly add: number
  readonly remove: number
}

/** A complete set replaces the inherited options; signs modify them, in order. */
function mergeSigned(base: Signed, over: Signed): Signed {
  if (over.set !== undefined) return over
  return { set: base.set, add: (base.add & ~over.remove) | over.add, remove: (base.remove & ~over.add) | over.remove }
}

/**
 * `+IncludesNOEXEC` takes the programs from pages to which an outer section gives them (CVE-2009-1195). httpd forgets that
 * in sections further inside.
 */
function mergeOptions(base: Readonly<CoreDirectoryConfig>, over: OptionsSetting): OptionsSetting {
  const merged = mergeSigned(base.options, over)
  const both = OPT_INCLUDES | OPT_INCLUDES_EXEC
  if (over.set !== undefined || (over.add & both) !== OPT_INCLUDES || (effectiveOptions(base) & both) !== both) return merged
  return { set: merged.set, add: merged.add & ~OPT_INCLUDES_EXEC, remove: merged.remove | OPT_INCLUDES_EXEC }
}

function concat<T>(base: readonly T[], over: readonly T[]): readonly T[] {
  if (over.length === 0) return base
  return base.length === 0 ? over : [...base, ...over]
}
