import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/** In bytes; what is longer is no line of a log. */
const LONGEST_LINE = 1_048_576

/**
 * The lines of a log without their newlines, one character for each byte. A name that ends with .gz is decompressed; `-` is standard
 * input. Of a line of more than 1 MiB only the beginning is returned.
 * @throws the system's error if the file cannot be read
 */
export async function* logLines(name: string): AsyncGenerator<string> {
  const file = name === '-' ? process.stdin : createReadStream(name)
  const stream = name.endsWith('.gz') ? file.pipe(createGunzip()) : file
  // A failed file does not end the stream that it is piped into.
  if (stream !== file) file.on('error', (error: Error) => stream.destroy(error))
  let pieces: string[] = []
  let length = 0
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a log is read as bytes')
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let newline = bytes.indexOf(NEWLINE); newline >= 0; newline = bytes.indexOf(NEWLINE, start)) {
      pieces.push(bytes.toString('latin1', start, newline))
      start = newline + 1
      yield pieces.join('')
      pieces = []
      length = 0
    }
    if (start < bytes.length && length < LONGEST_LINE) {
      pieces.push(bytes.toString('latin1', start))
      length += bytes.length - start
    }
  }
  if (pieces.length > 0) yield pieces.join('')
}

const NEWLINE = 0x0a
