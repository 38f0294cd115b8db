/** One record of a text: a line's first two words. */
export interface TextRecord {
  readonly key: Buffer
  readonly value: Buffer
}

/** The buffer size of httpd's httxt2dbm, which splits a longer line into several lines. */
const LONGEST_LINE = 1024

/**
 * The records of a text. Lines that begin with `#` or a blank and lines without a value are skipped. Text
 * after the value is ignored.
 */
export function* textRecords(text: Buffer): Iterable<TextRecord> {
  for (let start = 0; start < text.length; ) {
    const newline = text.subarray(start, start + LONGEST_LINE).indexOf(NEWLINE)
    const end = newline < 0 ? Math.min(start + LONGEST_LINE, text.length) : start + newline + 1
    const record = parseLine(text.subarray(start, end))
    if (record !== undefined) yield record
    start = end
  }
}

const NEWLINE = 0x0a

/** Key, blanks and value at the start of a line; blanks are C's. */
const RECORD = /^([^# \t\n\v\f\r][^ \t\n\v\f\r]*)[ \t\n\v\f\r]+([^ \t\n\v\f\r]+)/

/** As in httpd's httxt2dbm, a NUL ends a line. */
function parseLine(line: Buffer): TextRecord | undefined {
  const [text] = line.toString('latin1').split('\0', 1)
  const parts = RECORD.exec(text)
  return parts === null ? undefined : { key: Buffer.from(parts[1], 'latin1'), value: Buffer.from(parts[2], 'latin1') }
}
