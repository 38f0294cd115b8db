import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { apiLineOf } from './api-line.ts'
import { checkedCapabilities } from './capabilities.ts'
import { readContents } from './contents.ts'
import { type ModuleIdentity, readIdentity } from './identity.ts'
import { stampModule } from './stamp.ts'

/** Modules of httpd's whose file and source have different names, which `<IfModule>` and `-L` show. */
const OTHER_SOURCES: ReadonlyMap<string, string> = new Map([['mod_ldap', 'util_ldap.c']])

/**
 * Stamps the bundle `file` of the module whose source begins in `entry`.
 * @param name file name of the module without its extension, `mod_greeting`; httpd derives the source name
 * from it, so the two must match
 * @param packages the packages that the bundle was built with instead of those in `node_modules`
 */
export async function finishModule(
  file: string,
  entry: string,
  name: string,
  packages: Readonly<Record<string, string>> = {},
): Promise<ModuleIdentity> {
  const identity = readIdentity(entry)
  const source = OTHER_SOURCES.get(name) ?? `${name}.c`
  if (identity.source !== source)
    throw new Error(`${entry}: source is '${identity.source}', but a module in ${name} must have '${source}'`)
  const line = await apiLineOf(identity.specifier, dirname(entry), packages)
  // The frozen API of 2.2 has no such declaration, and no server loads a module of that line.
  const capabilities =
    line.cookie === 'AP22' ? undefined : checkedCapabilities(entry, readFileSync(file, 'utf8'), identity.capabilities ?? [])
  stampModule(file, { ...identity, contents: readContents(entry), capabilities }, line)
  return identity
}
