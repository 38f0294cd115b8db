import type { AnyModule } from '@gatewright/api'
import { type SiteOptions, site } from '@gatewright/testing'
import authzCore from '../../../mod_authz_core/src/index.ts'
import headers from '../../src/index.ts'

type TestServer = Awaited<ReturnType<typeof site>>

/** A test, as far as it is needed here. */
interface Test {
  teardown(close: () => Promise<void>): void
}

/** A site of this module and others, with `f.txt` and `err.html`, closed when the test ends. */
export async function headersSite(
  test: Test,
  config: string,
  options: { readonly modules?: readonly AnyModule[]; readonly files?: SiteOptions['files'] } = {},
): Promise<TestServer> {
  const server = await site({
    modules: [authzCore, headers, ...(options.modules ?? [])],
    config,
    files: { 'docs/f.txt': 'hello\n', 'docs/err.html': 'sorry\n', ...options.files },
  })
  test.teardown(() => server.close())
  return server
}

/** `Name: value` of the X- fields and those named, in the order they were sent. */
export function fieldsOf(
  { headers: all }: { readonly headers: readonly (readonly [string, string])[] },
  ...more: string[]
): string[] {
  return all.filter(([name]) => /^x-/i.test(name) || more.includes(name)).map(([name, value]) => `${name}: ${value}`)
}
