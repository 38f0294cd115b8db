import type { Context, DirectiveCommon, Override, Scope } from '@gatewright/api'

/**
 * Where a directive is allowed, as computed by httpd: a directive requires some bits, a context offers some,
 * and one common bit is sufficient.
 */
export const OR_LIMIT = 1
export const OR_OPTIONS = 2
export const OR_FILEINFO = 4
export const OR_AUTHCFG = 8
export const OR_INDEXES = 16
export const OR_ALL = 31
export const ACCESS_CONF = 64
export const RSRC_CONF = 128
export const PROXY_CONF = 256

/** Offered by the main configuration and by `<VirtualHost>`. */
export const SERVER_OFFERS: number = (RSRC_CONF | OR_ALL) & ~(OR_AUTHCFG | OR_LIMIT)
/** Offered by `<Directory>`, `<Location>`, `<Files>`, `<If>`. */
export const SECTION_OFFERS: number = OR_ALL | ACCESS_CONF
/** Offered by `<Proxy>`. */
export const PROXY_OFFERS: number = SECTION_OFFERS | PROXY_CONF

const OVERRIDE_BITS: Readonly<Record<Override, number>> = {
  AuthConfig: OR_AUTHCFG,
  FileInfo: OR_FILEINFO,
  Indexes: OR_INDEXES,
  Limit: OR_LIMIT,
  Options: OR_OPTIONS,
  All: OR_ALL,
}

const CONTEXT_BITS: Readonly<Record<Exclude<Context, 'htaccess'>, number>> = {
  server: RSRC_CONF,
  virtualhost: RSRC_CONF,
  directory: ACCESS_CONF,
  proxy: PROXY_CONF,
}

export function overrideBits(overrides: readonly Override[]): number {
  return overrides.reduce((bits, override) => bits | OVERRIDE_BITS[override], 0)
}

/** The bits a directive requires. */
export function requiredBits(spec: DirectiveCommon<Scope>): number {
  const { context, override } = spec
  const classes = context.includes('htaccess') && override !== undefined ? [override].flat() : []
  let bits = overrideBits(classes)
  for (const place of context) {
    // Sections offer all classes, so a directive with a class needs no other bit there.
    if (place !== 'htaccess' && !(place === 'directory' && classes.length > 0)) bits |= CONTEXT_BITS[place]
  }
  return bits
}

const WORDS: readonly [Override, number][] = [
  ['AuthConfig', OR_AUTHCFG],
  ['Limit', OR_LIMIT],
  ['Options', OR_OPTIONS],
  ['FileInfo', OR_FILEINFO],
  ['Indexes', OR_INDEXES],
]

/** The description of a directive's contexts for `-L`, in one or two lines. */
export function describePlace(spec: DirectiveCommon<Scope>): string {
  const bits = requiredBits(spec)
  const everywhere = (bits & RSRC_CONF) !== 0
  const inSections = (bits & (ACCESS_CONF | OR_ALL)) !== 0
  const atServer = everywhere || (bits & SERVER_OFFERS) !== 0
  let text = 'Allowed in *.conf '
  if (atServer && inSections) text += 'anywhere'
  else if (atServer) text += 'only outside <Directory>, <Files>, <Location>, or <If>'
  else text += 'only inside <Directory>, <Files>, <Location>, or <If>'
  if ((bits & OR_ALL) === 0) return text
  text += ' and in .htaccess\n\twhen AllowOverride '
  if ((bits & OR_ALL) === OR_ALL) return `${text}isn't None`
  return `${text}includes ${WORDS.filter(([, bit]) => (bits & bit) !== 0)
    .map(([word]) => word)
    .join(' or ')}`
}
