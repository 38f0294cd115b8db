import type { FolderSettings } from '@gatewright/core'

/** The bits of AllowOverride's classes, as httpd numbers them. */
const CLASSES: readonly (readonly [name: string, bit: number])[] = [
  ['Limit', 1],
  ['Options', 2],
  ['FileInfo', 4],
  ['AuthConfig', 8],
  ['Indexes', 16],
]

/** The classes that any of the servers grants .htaccess files of a folder. */
export function grantedClasses(settings: readonly FolderSettings[]): string[] {
  const bits = settings.reduce((sum, { override }) => sum | (override?.bits ?? 0), 0)
  return CLASSES.flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]))
}
