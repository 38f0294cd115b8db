/** The settings of a section; undefined for those of the sections around it. */
export interface IncludeConfig {
  xBitHack?: 'off' | 'on' | 'full'
  errorMessage?: string
  timeFormat?: string
  undefinedEcho?: string
  legacyExpressions?: boolean
  lastModified?: boolean
  etag?: boolean
}

/** The settings of a server; undefined for the usual tags. */
export interface IncludeServerConfig {
  startTag?: string
  endTag?: string
}

/** SSIErrorMsg, SSITimeFormat and SSIUndefinedEcho without such lines. */
export const ERROR_MESSAGE = '[an error occurred while processing this directive]'
export const TIME_FORMAT = '%A, %d-%b-%Y %H:%M:%S %Z'
export const UNDEFINED_ECHO = '(none)'

export const START_TAG = '<!--#'
export const END_TAG = '-->'

/** The settings of the inner section where it has them. */
export function mergeConfig(base: IncludeConfig, over: IncludeConfig): IncludeConfig {
  return { ...base, ...over }
}

/** As in httpd, a virtual host has the usual tags unless it sets its own. */
export function mergeServerConfig(base: IncludeServerConfig, over: IncludeServerConfig): IncludeServerConfig {
  return { ...base, ...over }
}
