import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildInputs, hashOf, ROOT, readStamp, writeStamp } from '../inputs.cjs'
import { type BuiltSite, buildSite } from './build-site.ts'

/** What the site is made of, besides what the server is built of. */
const PAGES = ['docs', 'README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'packages', 'modules']

/** The folder of the site that belongs to the build in dist/. */
export const SITE: string = join(ROOT, 'dist/site')

/** Builds the site in dist/site if anything changed that it is made of. @returns null if nothing did */
export async function bringSiteUpToDate(): Promise<BuiltSite | null> {
  const inputs = hashOf([...buildInputs(), ...PAGES])
  if (readStamp('site') === inputs && existsSync(join(SITE, 'index.html'))) return null
  const built = await buildSite(SITE, join(ROOT, 'dist'))
  writeStamp('site', inputs)
  return built
}
