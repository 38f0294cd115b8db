import type { SharedStoreFigures } from '@gatewright/api'

const MS = 1000
const PERCENT = 100

/**
 * What server-status shows of the session cache, in httpd's form. The cache is one, where httpd divides it into parts
 * with indexes: figures of those are absent.
 */
export function sessionStatus(kind: string, figures: SharedStoreFigures | undefined, form: 'page' | 'auto'): string {
  if (figures === undefined) return ''
  return form === 'page' ? page(kind, figures) : lines(kind, figures)
}

function page(kind: string, figures: SharedStoreFigures): string {
  const left = secondsLeft(figures)
  const facts = [
    `cache type: <b>${kind}</b>, shared memory: <b>${figures.limit}</b> bytes, current entries: <b>${figures.entries}</b>`,
    ...(left === null ? [] : [`time left on oldest entries' objects: avg: <b>${left}</b> seconds, (range: ${left}...${left})`]),
    `cache usage: <b>${usage(figures)}%</b>`,
    `total entries stored since starting: <b>${figures.stored}</b>`,
    `total entries replaced since starting: <b>${figures.replaced}</b>`,
    `total entries expired since starting: <b>${figures.expired}</b>`,
    `total (pre-expiry) entries scrolled out of the cache: <b>${figures.displaced}</b>`,
    `total retrieves since starting: <b>${figures.found}</b> hit, <b>${figures.notFound}</b> miss`,
    `total removes since starting: <b>${figures.removed}</b> hit, <b>${figures.notRemoved}</b> miss`,
  ]
  return `<hr>
<table cellspacing=0 cellpadding=0>
<tr><td bgcolor="#000000">
<b><font color="#ffffff" face="Arial,Helvetica">SSL/TLS Session Cache Status:</font></b></td></tr>
<tr><td bgcolor="#ffffff">
${facts.map((fact) => `${fact}<br>`).join('')}</td></tr>
</table>
`
}

function lines(kind: string, figures: SharedStoreFigures): string {
  const left = secondsLeft(figures)
  const oldest = left === null ? [] : ['Avg', 'Min', 'Max'].map((which) => `CacheTimeLeftOldest${which}: ${left}`)
  const all = [
    'TLSSessionCacheStatus',
    `CacheType: ${kind}`,
    `CacheSharedMemory: ${figures.limit}`,
    `CacheCurrentEntries: ${figures.entries}`,
    ...oldest,
    `CacheUsage: ${usage(figures)}%`,
    `CacheStoreCount: ${figures.stored}`,
    `CacheReplaceCount: ${figures.replaced}`,
    `CacheExpireCount: ${figures.expired}`,
    `CacheDiscardCount: ${figures.displaced}`,
    `CacheRetrieveHitCount: ${figures.found}`,
    `CacheRetrieveMissCount: ${figures.notFound}`,
    `CacheRemoveHitCount: ${figures.removed}`,
    `CacheRemoveMissCount: ${figures.notRemoved}`,
  ]
  return all.map((line) => `${line}\n`).join('')
}

function secondsLeft({ oldestLeft }: SharedStoreFigures): number | null {
  return oldestLeft === null ? null : Math.floor(oldestLeft / MS)
}

function usage({ used, limit }: SharedStoreFigures): number {
  return limit === 0 ? 0 : Math.floor((used * PERCENT) / limit)
}
