import type { Browser, Page } from './browser.ts'
import type { DebianServer } from './debian-server.ts'
import type { RelocatedTree } from './relocated-tree.ts'

/** One request of a session, and what its response must be. */
export interface Step {
  readonly about: string
  /** @param former the responses of the steps before, by what they are about */
  visit(browser: Browser, former: ReadonlyMap<string, Page>): Promise<Page>
  readonly status: number
  /** What the body, or the field Location of a redirect, contains. */
  readonly contains?: string
  readonly lacks?: string
}

/** A web application of Debian, and a session with it. */
export interface Application {
  readonly name: string
  /** A file of the package, which shows that it is installed. */
  readonly file: string
  /** The packages to install. */
  readonly packages: readonly string[]
  /** The folders of the package that are copied. */
  readonly folders: readonly string[]
  /** Folders that the others lead to by relative links, and that are not changed. */
  readonly linked?: readonly string[]
  /** Another program that must be installed. */
  readonly needs?: string
  /** Values that vary from run to run. */
  readonly masks: readonly (readonly [RegExp, string])[]
  /** Configures the copy as its administrator would. */
  configure(tree: RelocatedTree, server: DebianServer, port: number): Promise<void> | void
  /** Ends what `configure` has started. */
  end?(): Promise<void>
  readonly steps: readonly Step[]
}
