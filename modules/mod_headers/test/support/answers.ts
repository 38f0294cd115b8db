import type { AnyModule } from '@gatewright/api'
import { type SiteOptions, site } from '@gatewright/testing'
import authzCore from '../../../mod_authz_core/src/index.ts'
import headers from '../../src/index.ts'

type TestServer = Awaited<ReturnType<typeof site>>

/** The part of a test that is used here. */
interface Test {
  teardown(close: () => Promise<void>): void
}

/** A site with this module and others, with `f.txt` and `err.html`, closed at the end of the test. */
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

/** `Name: value` of the X- fields and the given ones, in the order in which they were sent. */
export function fieldsOf(
  { headers: all }: { readonly headers: readonly (readonly [string, string])[] },
  ...more: string[]
): string[] {
  return all.filter(([name]) => /^x-/i.test(name) || more.includes(name)).map(([name, value]) => `${name}: ${value}`)
}
