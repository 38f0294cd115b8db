import type { BoundConfiguration } from '@gatewright/core'

/** Texts of the server's own files by path. */
export function serverTexts(configuration: BoundConfiguration): ReadonlyMap<string, string> {
  const paths = new Set([configuration.configFile, ...configuration.includes.map(({ path }) => path)])
  return new Map([...paths].map((path) => [path, configuration.textOf(path)]))
}
