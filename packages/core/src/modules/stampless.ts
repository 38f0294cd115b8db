import { parseStamp, STAMP_PREFIX } from '@gatewright/api/stamp'

const BUILD = 'build it with apxs -c and load the result'
/** A stamp further down than this was not moved there by mistake. */
const SEARCHED = 64 * 1024

/** The solution for a file whose first line is not a stamp, depending on the file's apparent kind. */
export function stamplessHint(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, SEARCHED)
  if (head.startsWith('\x7fELF'))
    return 'the file is a shared object made for httpd, which this server cannot run: load the .mjs file of the same module'
  if (head.startsWith(STAMP_PREFIX)) return 'the stamp in the first line is damaged: build or copy the file again'
  const line = stampedLine(head)
  if (line === 1) return 'the stamp must be the first thing in the file: remove what precedes it, for example a byte order mark'
  if (line !== undefined)
    return `the stamp is in line ${line}; nothing may precede it, not even a comment: build or copy the file again`
  return `modules are built, not written: ${BUILD}`
}

/** Number of the first line that ends in a complete stamp. */
function stampedLine(head: string): number | undefined {
  let line = 1
  for (let at = 0; at < head.length; line++) {
    const end = head.indexOf('\n', at)
    if (end < 0) return undefined
    const stamp = head.lastIndexOf(STAMP_PREFIX, end)
    if (stamp >= at && parseStamp(head.slice(stamp, end)) !== undefined) return line
    at = end + 1
  }
  return undefined
}
