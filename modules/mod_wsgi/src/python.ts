import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where the Python of the system is: applications from packages are made for it. */
const FIRST: readonly string[] = ['/usr/bin', '/usr/local/bin']

/** The interpreter of a Python installation or virtual environment, or else that of the system, or of PATH; null if there is none. */
export function findPython(home: string | null, path: string = process.env.PATH ?? ''): string | null {
  const folders = home === null ? [...FIRST, ...path.split(delimiter)] : [join(home, 'bin')]
  for (const folder of folders) {
    if (!folder.startsWith('/')) continue
    const file = join(folder, 'python3')
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // The next folder.
    }
  }
  return null
}
