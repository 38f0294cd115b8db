import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { formatStamp, STAMP_PREFIX, type StampedContents } from '@gatewright/api/stamp'
import type { ApiLine } from './api-line.ts'
import { placeFile } from './place.ts'

/** esbuild leaves this in a bundle whose CommonJS parts call `require` for something that is not inside. */
const NEEDS_REQUIRE = 'Dynamic require of "'
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);\n"

/** What a stamp says of the module itself. */
export interface StampedNames {
  readonly module: string
  readonly source: string
  /** What it registers; a stamp may do without. */
  readonly contents?: StampedContents
}

/**
 * Finishes a module's bundle in place: writes the stamp that LoadModule reads as its first line. A file that has one already gets
 * a new one.
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
  })
  placeFile(Buffer.concat([Buffer.from(stamp), rest]), file)
}

function withoutStamp(content: Buffer): Buffer {
  return content.toString('latin1', 0, STAMP_PREFIX.length) === STAMP_PREFIX
    ? content.subarray(content.indexOf('\n') + 1)
    : content
}

function needsRequire(content: Buffer): boolean {
  return content.includes(NEEDS_REQUIRE) && !content.includes(REQUIRE)
}
