import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ModuleCapability } from '@gatewright/api'
import { formatStamp, STAMP_PREFIX, type StampedContents } from '@gatewright/api/stamp'
import type { ApiLine } from './api-line.ts'
import { placeFile } from './place.ts'

/** esbuild adds this to a bundle whose CommonJS parts call `require` for a module outside the bundle. */
const NEEDS_REQUIRE = 'Dynamic require of "'
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);\n"

/** The module's own data in a stamp. */
export interface StampedNames {
  readonly module: string
  readonly source: string
  /** What it registers; optional in a stamp. */
  readonly contents?: StampedContents
  /** What it declares to use beyond the API. */
  readonly capabilities?: readonly ModuleCapability[] | undefined
}

/**
 * Finishes a module's bundle in place: writes the stamp that LoadModule reads as its first line. An existing
 * stamp is replaced.
 */
export function stampModule(file: string, names: StampedNames, line: ApiLine): void {
  const content = withoutStamp(readFileSync(file))
  const rest = needsRequire(content) ? Buffer.concat([Buffer.from(REQUIRE), content]) : content
  const stamp = formatStamp({
    cookie: line.cookie,
    api: line.api,
    magic: line.magic,
    module: names.module,
    source: names.source,
    digest: createHash('sha256').update(rest).digest('hex'),
    contents: names.contents,
    capabilities: names.capabilities,
  })
  placeFile(Buffer.concat([Buffer.from(stamp), rest]), file)
}

function withoutStamp(content: Buffer): Buffer {
  return content.toString('latin1', 0, STAMP_PREFIX.length) === STAMP_PREFIX
    ? content.subarray(content.indexOf('\n') + 1)
    : content
}

/** How many lines {@link stampModule} puts before a bundle: the stamp, and an import if the bundle needs `require`. */
export function linesBefore(content: Buffer): number {
  return needsRequire(content) ? 2 : 1
}

function needsRequire(content: Buffer): boolean {
  return content.includes(NEEDS_REQUIRE) && !content.includes(REQUIRE)
}
