import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { formatStamp } from '@gatewright/api'
import type { ApiLine } from './api-line.ts'
import { placeFile } from './place.ts'

/** esbuild leaves this in a bundle whose CommonJS parts call `require` for something that is not inside. */
const NEEDS_REQUIRE = 'Dynamic require of "'
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);\n"

/**
 * Finishes a module's bundle in place: writes the stamp that LoadModule reads as its first line. A file that has one already gets
 * a new one.
 */
export function stampModule(file: string, names: { readonly module: string; readonly source: string }, line: ApiLine): void {
  const content = withoutStamp(readFileSync(file))
  const rest = needsRequire(content) ? Buffer.concat([Buffer.from(REQUIRE), content]) : content
  const stamp = formatStamp({
    cookie: line.cookie,
    api: line.api,
    magic: line.magic,
    module: names.module,
    source: names.source,
    digest: createHash('sha256').update(rest).digest('hex'),
  })
  placeFile(Buffer.concat([Buffer.from(stamp), rest]), file)
}

function withoutStamp(content: Buffer): Buffer {
  return content.subarray(0, 3).toString('latin1') === '//!' ? content.subarray(content.indexOf('\n') + 1) : content
}

function needsRequire(content: Buffer): boolean {
  return content.includes(NEEDS_REQUIRE) && !content.includes(REQUIRE)
}
