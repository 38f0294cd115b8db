import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The end of a module file that apxs has built: the positions of its sources. */
const MAP_COMMENT = '\n//# sourceMappingURL=data:application/json;base64,'

/** Largest module file whose map is read, in bytes: the positions are a help for authors, not worth more memory. */
const LARGEST = 32 * 1024 * 1024

/** A position in a module's file, as stacks show it: `file:///srv/mod_hello.mjs:12:5`. */
const POSITION = /((?:file:\/\/)?\/[^\s()]*?\.mjs):(\d+):(\d+)/g

/** The maps of the files that were asked for; null for a file without one. A process loads a module once, so its map stays. */
const maps = new Map<string, SourceMap | null>()

/**
 * A stack with the positions in the sources of modules, such as `src/index.ts:12:5 of mod_hello.mjs` for
 * `file:///srv/mod_hello.mjs:340:9`. Positions in files without a source map remain. Only for errors: it reads files.
 */
export function withSourcePositions(stack: string): string {
  return stack.replace(POSITION, (position: string, file: string, line: string, column: string) => {
    const source = sourcePosition(file, Number(line), Number(column))
    return source === undefined ? position : `${source} of ${basename(file)}`
  })
}

function sourcePosition(file: string, line: number, column: number): string | undefined {
  const entry = mapOf(file)?.findEntry(line - 1, column - 1)
  if (entry === undefined || !('originalSource' in entry)) return undefined
  return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file)
  if (known !== undefined) return known
  const map = readMap(file)
  maps.set(file, map)
  return map
}

/** Null if the file cannot be read or has no usable map: the position in the file is reported then. */
function readMap(file: string): SourceMap | null {
  try {
    const content = readFileSync(file.startsWith('file:') ? fileURLToPath(file) : file)
    const begin = content.length > LARGEST ? -1 : content.lastIndexOf(MAP_COMMENT)
    if (begin < 0) return null
    const encoded = content.toString('latin1', begin + MAP_COMMENT.length).trim()
    return new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')))
  } catch {
    return null
  }
}
