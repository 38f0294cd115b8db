import type { SectionInfo } from '@gatewright/api'

/**
 * The path to which rules of a section are limited, as in httpd: rules of `<Location>` are compared with file
 * names too, and therefore rarely apply.
 */
export function sectionPath(section: SectionInfo): string {
  const { kind, argument, parent } = section
  switch (kind) {
    case 'server':
    case 'VirtualHost':
      return ''
    case 'Directory':
      return argument.endsWith('/') ? argument : `${argument}/`
    case '.htaccess':
      return argument.slice(0, argument.lastIndexOf('/') + 1)
    case 'If':
      return '*If'
    case 'Limit':
    case 'overlay':
      return parent === null ? '' : sectionPath(parent)
    default:
      return argument
  }
}
