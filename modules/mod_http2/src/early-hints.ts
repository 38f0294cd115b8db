import type { Request } from '@gatewright/api'
import type { Http2Stream } from '@gatewright/api/peers'
import { announcementsOf, type SectionConfig } from './settings.ts'

const EARLY_HINTS = 103

/**
 * Pushes the resources that apply to a request, and sends hints of them (RFC 8297) where these are wanted. Clients that wait for
 * 100 (Continue) get neither.
 */
export function hintEarly(request: Request, stream: Http2Stream, config: Readonly<SectionConfig>, areWanted: boolean): void {
  const { resources, hints } = announcementsOf(config)
  if (resources.length === 0 && hints.length === 0) return
  if (request.headersIn.get('expect')?.toLowerCase() === '100-continue') return
  const fields = new Map<string, [name: string, value: string]>()
  const add = (name: string, value: string): void => {
    const known = fields.get(name.toLowerCase())
    if (known === undefined) fields.set(name.toLowerCase(), [name, value])
    else known[1] += `, ${value}`
  }
  for (const { target, isCritical } of resources) add('Link', `<${target}>; rel=preload${isCritical ? '; critical' : ''}`)
  for (const [name, value] of hints) add(name, value)
  const links = fields.get('link')
  // Links of interim responses are pushed by themselves.
  if (areWanted) request.sendInterim(EARLY_HINTS, 'Early Hints', [...fields.values()])
  else if (links !== undefined) stream.pushLinks(links[1])
}
