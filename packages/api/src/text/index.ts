/**
 * Texts of HTTP, configuration and logs: HTML, dates, escapes, templates. Import from `@gatewright/api/text`.
 * @module text
 */

export { asciiJson } from './ascii-json.ts'
export { decodeBase64Lenient } from './base64.ts'
export { type BasicCredentials, parseBasicCredentials } from './basic-credentials.ts'
export { isByteText, requireByteText, utf8Bytes } from './bytes.ts'
export { clfTime, createClfClock } from './clf-time.ts'
export { ConfigLineSplitter } from './config-line-splitter.ts'
export { configLines } from './config-lines.ts'
export { type CookieWords, cookieField, cookieWords } from './cookie-words.ts'
export { createErrorLogClock, errorLogTime, microsecondsOf } from './error-log-time.ts'
export { coversName } from './hostname.ts'
export { escapeHtml, type Html, type HtmlValue, html, isHtml, raw } from './html.ts'
export { createHttpDateClock, httpDate } from './http-date.ts'
export { leadingInteger } from './leading-integer.ts'
export { escapeErrorLogItem, escapeLogItem } from './log-escape.ts'
export { parseHttpDate } from './parse-http-date.ts'
export { cachePerSecond, type TimeText } from './per-second.ts'
export { decodePercent } from './percent.ts'
export { escapeQuotes } from './quotes.ts'
export { escapeShell } from './shell.ts'
export { sizeText } from './size-text.ts'
export { compileStrftime, createStrftimeClock, strftime, type TimeFormatter } from './strftime.ts'
export { systemError } from './system-error.ts'
export { compileTemplate, fillTemplate, type Template } from './template.ts'
export {
  DAY_NAMES,
  localFields,
  MONTH_NAMES,
  SHORT_DAY_NAMES,
  SHORT_MONTH_NAMES,
  type TimeFields,
  type TimeZoneChoice,
  utcFields,
} from './time-fields.ts'
export { escapeRelativeUri, escapeUriPath } from './uri-path.ts'
export { matchUrlPrefix } from './url-prefix.ts'
export { createZoneNamer, type ZoneNamer } from './zone-name.ts'
