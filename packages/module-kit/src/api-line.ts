import { build } from 'esbuild'
import { bundling } from './bundling.ts'

/** The line of the module API that a module was built against; its stamp records it. */
export interface ApiLine {
  /** Magic cookie, `AP24`. */
  readonly cookie: string
  /** API version, `2.4.0`. */
  readonly api: string
  /** Module magic number, `20120211`. */
  readonly magic: number
}

/**
 * Reads the API line from the copy of the API package that a module in `folder` bundles, so that the stamp
 * always matches the version inside the file. No code of the module runs; only the package's constants are
 * evaluated.
 * @param specifier the package from which the module imports `defineModule`
 * @param packages as in {@link bundling}
 * @throws if the package does not have the three constants of an API package
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
