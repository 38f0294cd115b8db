import { ConfigError } from '@gatewright/core'
import { type SiteOptions, site } from './site.ts'

/** The message with which the server rejects a configuration; undefined for a valid one. */
export async function configError(options: SiteOptions): Promise<string | undefined> {
  return (await refusalOf(options))?.message
}

/** The same message with the number of the line in the given configuration: `LINE: MESSAGE`. */
export async function configErrorAt(options: SiteOptions): Promise<string | undefined> {
  const error = await refusalOf(options)
  return error === undefined ? undefined : `${error.line - LINES_BEFORE}: ${error.message}`
}

/** Lines of a site's configuration before those of its options. */
const LINES_BEFORE = 2

async function refusalOf(options: SiteOptions): Promise<ConfigError | undefined> {
  try {
    const server = await site(options)
    await server.close()
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}
