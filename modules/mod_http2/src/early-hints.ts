import type { Request } from '@gatewright/api'
import type { Http2Stream } from '@gatewright/api/peers'
import type { SectionConfig } from './settings.ts'

const EARLY_HINTS = 103

/** Pushes the resources of the section, and sends hints of them (RFC 8297) where these are wanted. */
export function hintEarly(request: Request, stream: Http2Stream, config: Readonly<SectionConfig>, areWanted: boolean): void {
  const { resources, hints } = config
  if (resources.length === 0 && hints.length === 0) return
  const links = resources.map(({ target, isCritical }) => `<${target}>; rel=preload${isCritical ? '; critical' : ''}`)
  const fields: (readonly [string, string])[] = links.length === 0 ? [] : [['Link', links.join(', ')]]
  fields.push(...hints)
  if (areWanted) request.sendInterim(EARLY_HINTS, 'Early Hints', fields)
  for (const [name, value] of fields) if (name.toLowerCase() === 'link') stream.pushLinks(value)
}
