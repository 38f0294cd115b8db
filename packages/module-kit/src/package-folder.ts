import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder of the nearest package.json above a file, or the file's own folder if there is none. */
export function packageFolder(file: string): string {
  const description = findPackageJSON(pathToFileURL(file))
  return description === undefined ? dirname(file) : dirname(description)
}
