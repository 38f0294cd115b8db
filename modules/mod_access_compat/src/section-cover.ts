import type { SectionInfo } from '@gatewright/api'

/**
 * True if a section is certain to apply to everything that another one applies to, as far as paths show:
 * plain directories and locations, assuming that a location is below the DocumentRoot.
 */
export function covers(outer: SectionInfo, inner: SectionInfo): boolean {
  if (outer.server !== inner.server && outer.server.isVirtual) return false
  if (!isPlain(outer) || (outer.parent !== null && outer.parent.kind !== 'server' && outer.parent.kind !== 'VirtualHost'))
    return false
  switch (outer.kind) {
    case 'Directory': {
      if (components(outer.argument) === '/') return true
      const path = pathOf(inner)
      return path !== null && isBelow(path, outer.argument)
    }
    case 'Location':
      return inner.kind === 'Location' && isPlain(inner) && isBelow(inner.argument, outer.argument)
    default:
      return false
  }
}

/** The path in the file system below which a section applies; null if it is not certain. */
function pathOf(section: SectionInfo): string | null {
  if (section.kind === 'Directory') return isPlain(section) ? section.argument : null
  if (section.kind === 'Location') return isPlain(section) ? section.server.documentRoot + section.argument : null
  return section.parent === null ? null : pathOf(section.parent)
}

function isPlain({ argument }: SectionInfo): boolean {
  return argument.startsWith('/') && !/[*?[\]]/.test(argument)
}

function isBelow(path: string, prefix: string): boolean {
  return components(path).startsWith(components(prefix))
}

/** A path with one trailing slash, so that prefixes end at segment boundaries. */
function components(path: string): string {
  return `${path.replace(/\/+$/, '')}/`
}
