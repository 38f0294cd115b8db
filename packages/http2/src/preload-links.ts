/** One link: its target and its parameters (RFC 8288 section 3). */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g
const PARAMETER = /;\s*([^\s;,="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;,"]*)))?/g

/**
 * The targets that links name for preloading (`rel=preload`, without `nopush`), without scheme and host.
 * @param authority that of the request; absolute targets of other hosts are left out
 */
export function preloadTargets(links: string, authority: string): string[] {
  const targets: string[] = []
  for (const [, target, parameters] of links.matchAll(LINK)) {
    let isPreload = false
    let isPushed = true
    for (const [, name, quoted, plain] of parameters.matchAll(PARAMETER)) {
      if (name.toLowerCase() === 'rel') isPreload = (quoted ?? plain ?? '').toLowerCase().split(/\s+/).includes('preload')
      else if (name.toLowerCase() === 'nopush') isPushed = false
    }
    const path = isPreload && isPushed ? pathOf(target, authority) : null
    if (path !== null) targets.push(path)
  }
  return targets
}

function pathOf(target: string, authority: string): string | null {
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target)
  const path = absolute === null ? target : absolute[2] === '' ? '/' : absolute[2]
  if (absolute !== null && absolute[1].toLowerCase() !== authority.toLowerCase()) return null
  const fragment = path.indexOf('#')
  const sent = fragment < 0 ? path : path.slice(0, fragment)
  return /^[\x21-\x7e\x80-\xff]+$/.test(sent) && sent.length <= LONGEST ? sent : null
}

/** Longer ones are not pushed: their promise has to fit into a frame. */
const LONGEST = 4000
