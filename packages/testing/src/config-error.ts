import { ConfigError } from '@gatewright/core'
import { type SiteOptions, site } from './site.ts'

/** The message with which the server refuses a configuration; undefined for one that it accepts. */
export async function configError(options: SiteOptions): Promise<string | undefined> {
  try {
    const server = await site(options)
    await server.close()
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}
