/** Options as bits; a listing's set of options is their sum. */
export const NONE = 1
export const FANCY = 2
export const TABLE = 4
export const FOLDERS_FIRST = 8
export const VERSION_SORT = 16
export const IGNORE_CASE = 32
export const IGNORE_CLIENT = 64
export const ICONS_ARE_LINKS = 128
export const SCAN_HTML_TITLES = 256
export const SHOW_FORBIDDEN = 512
export const SUPPRESS_COLUMN_SORTING = 1024
export const SUPPRESS_DESCRIPTION = 2048
export const SUPPRESS_PREAMBLE = 4096
export const SUPPRESS_ICON = 8192
export const SUPPRESS_LAST_MODIFIED = 16384
export const SUPPRESS_SIZE = 32768
export const SUPPRESS_RULES = 65536
export const TRACK_MODIFIED = 131072
export const XHTML = 262144
export const ALT_CLASS = 524288

const SWITCHES: ReadonlyMap<string, number> = new Map([
  ['addaltclass', ALT_CLASS],
  ['fancyindexing', FANCY],
  ['foldersfirst', FOLDERS_FIRST],
  ['htmltable', TABLE],
  ['iconsarelinks', ICONS_ARE_LINKS],
  ['ignorecase', IGNORE_CASE],
  ['ignoreclient', IGNORE_CLIENT],
  ['scanhtmltitles', SCAN_HTML_TITLES],
  ['showforbidden', SHOW_FORBIDDEN],
  ['suppresscolumnsorting', SUPPRESS_COLUMN_SORTING],
  ['suppressdescription', SUPPRESS_DESCRIPTION],
  ['suppresshtmlpreamble', SUPPRESS_PREAMBLE],
  ['suppressicon', SUPPRESS_ICON],
  ['suppresslastmodified', SUPPRESS_LAST_MODIFIED],
  ['suppressrules', SUPPRESS_RULES],
  ['suppresssize', SUPPRESS_SIZE],
  ['trackmodified', TRACK_MODIFIED],
  ['versionsort', VERSION_SORT],
  ['xhtml', XHTML],
])

/**
 * IndexOptions of one section: a complete set, which is empty if there is none, and the bits added to it and
 * removed from it.
 */
export interface OptionBits {
  readonly set: number
  readonly add: number
  readonly remove: number
}

export const NO_BITS: OptionBits = { set: 0, add: 0, remove: 0 }

/** Width of a column; `grow` stands for `*`. */
export interface ColumnWidth {
  readonly characters: number
  readonly fit: 'fixed' | 'grow'
}

/** Default width of the columns Name and Description. */
export const STANDARD_WIDTH = 23

/** `2020-01-02 03:04` or `02-Jan-2020 03:04`. */
export type DateFormat = 'sortable' | 'old'

/** All settings of IndexOptions. */
export interface IndexOptionsSetting {
  options: OptionBits
  iconWidth?: number
  iconHeight?: number
  nameWidth?: ColumnWidth
  descriptionWidth?: ColumnWidth
  contentType?: string
  charset?: string
  /** UseOldDateFormat, which cannot be undone. */
  dateFormat?: DateFormat
}

type Sign = '' | '+' | '-'

/** Applies the words of one line; returns an error text if a word is invalid. */
export function applyIndexOptions(setting: IndexOptionsSetting, words: readonly string[]): string | undefined {
  let { set, add, remove } = setting.options
  for (const word of words) {
    const sign: Sign = word.startsWith('+') ? '+' : word.startsWith('-') ? '-' : ''
    const name = sign === '' ? word : word.slice(1)
    const lower = name.toLowerCase()
    const bit = SWITCHES.get(lower) ?? 0
    if (lower === 'none') {
      if (sign !== '') return "Cannot combine '+' or '-' with 'None' keyword"
      set = NONE
    } else if (bit === 0) {
      const error = applyValue(setting, sign, lower, name)
      if (error !== undefined) return error
    }
    if (sign === '+') {
      add |= bit
      remove &= ~bit
    } else if (sign === '-') {
      remove |= bit
      add &= ~bit
    } else {
      // A word without a sign discards the preceding ones with a sign.
      set |= bit
      add = 0
      remove = 0
    }
  }
  if ((set & NONE) !== 0 && (set & ~NONE) !== 0) return "Cannot combine other IndexOptions keywords with 'None'"
  setting.options = { set, add, remove }
  return undefined
}

const ICON_WIDTH = 20
const ICON_HEIGHT = 22

/** Applies an option with a value. Such options are inherited separately. */
function applyValue(setting: IndexOptionsSetting, sign: Sign, lower: string, name: string): string | undefined {
  const equals = name.indexOf('=')
  const value = equals < 0 ? undefined : name.slice(equals + 1)
  switch (equals < 0 ? lower : lower.slice(0, equals)) {
    case 'iconwidth':
      if (value !== undefined && sign === '-') return "Cannot combine '-' with IconWidth=n"
      setting.iconWidth = value === undefined ? (sign === '-' ? 0 : ICON_WIDTH) : leadingNumber(value)
      return undefined
    case 'iconheight':
      if (value !== undefined && sign === '-') return "Cannot combine '-' with IconHeight=n"
      setting.iconHeight = value === undefined ? (sign === '-' ? 0 : ICON_HEIGHT) : leadingNumber(value)
      return undefined
    case 'namewidth': {
      const width = columnWidth(setting.nameWidth, 'NameWidth', sign, value, 5, 'greater than 5')
      if (typeof width === 'string') return width
      setting.nameWidth = width
      return undefined
    }
    case 'descriptionwidth': {
      const width = columnWidth(setting.descriptionWidth, 'DescriptionWidth', sign, value, 12, 'greater than 12')
      if (typeof width === 'string') return width
      setting.descriptionWidth = width
      return undefined
    }
    case 'useolddateformat':
      if (value !== undefined) break
      // As in httpd, whatever its sign.
      setting.dateFormat = 'old'
      return undefined
    case 'type':
      if (value === undefined) break
      setting.contentType = value
      return undefined
    case 'charset':
      if (value === undefined) break
      setting.charset = value
      return undefined
  }
  return 'Invalid directory indexing option'
}

function columnWidth(
  before: ColumnWidth | undefined,
  option: string,
  sign: Sign,
  value: string | undefined,
  least: number,
  rule: string,
): ColumnWidth | string {
  if (value === undefined) {
    return sign === '-' ? { characters: STANDARD_WIDTH, fit: 'fixed' } : `${option} with no value may only appear as '-${option}'`
  }
  if (sign === '-') return `Cannot combine '-' with ${option}=n`
  // A column that grows keeps the width configured before as its minimum.
  if (value.startsWith('*')) return { characters: before?.characters ?? STANDARD_WIDTH, fit: 'grow' }
  const characters = leadingNumber(value)
  if (characters !== 0 && characters < least) return `${option} value must be ${rule}`
  return { characters, fit: 'fixed' }
}

/** The number at the start of a text, parsed as by C's atoi; 0 if there is none. */
function leadingNumber(text: string): number {
  const digits = /^\s*([+-]?\d+)/.exec(text)
  return digits === null ? 0 : Number(digits[1])
}

/** Merges a section's options over the outer ones. `None` also discards inherited additions. */
export function mergeOptions(base: OptionBits, over: OptionBits): OptionBits {
  if (over.set === NONE) return { set: NONE, add: 0, remove: 0 }
  if (over.set !== 0) return { set: over.set, add: 0, remove: 0 }
  const add = (base.add | over.add) & ~over.remove
  const remove = base.remove | over.remove
  return { set: ((base.set & ~NONE) | add) & ~remove, add, remove }
}
