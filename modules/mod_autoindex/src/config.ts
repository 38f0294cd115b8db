import type { ShellPattern } from '@gatewright/api'
import type { FileRule } from './file-rules.ts'
import { type IndexOptionsSetting, mergeOptions, NO_BITS } from './index-options.ts'

/** The column by which a listing is sorted, as in its URLs. */
export type Column = 'N' | 'M' | 'S' | 'D'
export type Direction = 'A' | 'D'

/** A pattern of IndexIgnore, within a scope. */
export interface IgnoreRule {
  readonly scope: string
  readonly pattern: string
}

export interface DescriptionRule {
  /** A pattern with a slash is compared with the whole path, any other with the name. */
  readonly of: 'path' | 'name'
  /** A string matches anywhere in the name. */
  readonly pattern: ShellPattern | string
  readonly description: string
}

/**
 * Lists begin with the rules of the nearest section. Rules of one section are in the order in which they are
 * written.
 */
export interface AutoindexConfig extends IndexOptionsSetting {
  readonly icons: FileRule[]
  readonly alts: FileRule[]
  readonly ignored: IgnoreRule[]
  /** IndexIgnore rules of outer sections are discarded. */
  ignoreReset?: boolean
  readonly descriptions: DescriptionRule[]
  /** URLs of HeaderName and ReadmeName, relative to the folder. */
  header?: string
  readme?: string
  defaultIcon?: string
  styleSheet?: string
  headInsert?: string
  column?: Column
  direction?: Direction
}

export function createAutoindexConfig(): AutoindexConfig {
  return { options: NO_BITS, icons: [], alts: [], ignored: [], descriptions: [] }
}

export function mergeAutoindexConfig(base: Readonly<AutoindexConfig>, over: Readonly<AutoindexConfig>): AutoindexConfig {
  return {
    options: mergeOptions(base.options, over.options),
    // 0 is the same as no value: the inherited size applies.
    iconWidth: over.iconWidth || base.iconWidth,
    iconHeight: over.iconHeight || base.iconHeight,
    nameWidth: over.nameWidth ?? base.nameWidth,
    descriptionWidth: over.descriptionWidth ?? base.descriptionWidth,
    contentType: over.contentType ?? base.contentType,
    charset: over.charset ?? base.charset,
    dateFormat: over.dateFormat ?? base.dateFormat,
    icons: [...over.icons, ...base.icons],
    alts: [...over.alts, ...base.alts],
    ignored: over.ignoreReset === true ? over.ignored : [...over.ignored, ...base.ignored],
    descriptions: [...over.descriptions, ...base.descriptions],
    header: over.header ?? base.header,
    readme: over.readme ?? base.readme,
    defaultIcon: over.defaultIcon ?? base.defaultIcon,
    styleSheet: over.styleSheet ?? base.styleSheet,
    headInsert: over.headInsert ?? base.headInsert,
    column: over.column ?? base.column,
    direction: over.direction ?? base.direction,
  }
}
