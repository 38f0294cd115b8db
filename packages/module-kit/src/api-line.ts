import { build } from 'esbuild'
import { bundling } from './bundling.ts'

/** Which line of the module API a module was built against: what goes into its stamp. */
export interface ApiLine {
  /** Magic cookie, `AP24`. */
  readonly cookie: string
  /** API version, `2.4.0`. */
  readonly api: string
  /** Module magic number, `20120211`. */
  readonly magic: number
}

/**
 * Reads the line from the very copy of the API package that a module in `folder` bundles, so that the stamp cannot claim another
 * version than the one inside the file. Nothing of the module runs, only the package's constants are evaluated.
 * @param specifier what the module imports `defineModule` from
 * @param packages as in {@link bundling}
 * @throws when the package lacks the three constants of an API package
 */
export async function apiLineOf(
  specifier: string,
  folder: string,
  packages: Readonly<Record<string, string>> = {},
): Promise<ApiLine> {
  const contents = `export { API_VERSION, MODULE_MAGIC_COOKIE, MODULE_MAGIC_NUMBER_MAJOR } from ${JSON.stringify(specifier)}`
  const { outputFiles } = await build({
    ...bundling(folder, packages),
    stdin: { contents, resolveDir: folder },
    write: false,
    logLevel: 'silent',
  })
  const constants: Record<string, unknown> = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)
  const { API_VERSION: api, MODULE_MAGIC_COOKIE: cookie, MODULE_MAGIC_NUMBER_MAJOR: magic } = constants
  if (typeof api !== 'string' || typeof cookie !== 'string' || typeof magic !== 'number') {
    throw new Error(
      `${specifier} is not a module API package: API_VERSION, MODULE_MAGIC_COOKIE or MODULE_MAGIC_NUMBER_MAJOR is missing`,
    )
  }
  return { cookie, api, magic }
}
