import { statSync } from 'node:fs'
import type { MaybePromise } from '@gatewright/api'
import { fsPath } from '../base/file-info.ts'
import type { FileBlocks } from './file-blocks.ts'
import { SMALL_FILE } from './file-cache.ts'
import { FileTooLarge, NotRegularFile } from './file-errors.ts'
import { readWhole } from './read-whole.ts'

/**
 * The bytes of a regular file, one character each. @throws the system's error, NotRegularFile or
 * FileTooLarge; the promise rejects with them
 */
export function fileText(path: string, limit: number, blocks: FileBlocks): MaybePromise<string> {
  const stats = statSync(fsPath(path))
  if (!stats.isFile()) throw new NotRegularFile(path)
  if (stats.size > limit) throw new FileTooLarge(`${path} has more than ${limit} bytes`)
  const small = stats.size <= SMALL_FILE ? readWhole(path, SMALL_FILE) : undefined
  return small === undefined ? largeText(path, limit, blocks) : small.toString('latin1')
}

async function largeText(path: string, limit: number, blocks: FileBlocks): Promise<string> {
  const file = await blocks.open(path)
  try {
    const parts: string[] = []
    let length = 0
    for (;;) {
      const part = await file.next()
      if (part === null) return parts.join('')
      parts.push(part)
      length += part.length
      if (length > limit) throw new FileTooLarge(`${path} has more than ${limit} bytes`)
    }
  } finally {
    await file.close()
  }
}
