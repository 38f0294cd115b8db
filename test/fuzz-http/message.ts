/** A request in parts that can be made wrong one by one. All text is latin1. */
export interface Message {
  emptyLines: string
  method: string
  beforeTarget: string
  target: string
  beforeVersion: string
  version: string
  lineEnd: string
  fields: Field[]
  headEnd: string
  content: string | ChunkedContent
}

export interface Field {
  name: string
  colon: string
  /** With the white space around it. */
  value: string
  end: string
}

export interface ChunkedContent {
  /** The last one has no data. */
  chunks: Chunk[]
  trailers: Field[]
  end: string
}

export interface Chunk {
  size: string
  extension: string
  sizeEnd: string
  data: string
  dataEnd: string
}

export function written(message: Message): string {
  const { emptyLines, method, beforeTarget, target, beforeVersion, version, lineEnd, fields, headEnd, content } = message
  const line = `${emptyLines}${method}${beforeTarget}${target}${beforeVersion}${version}${lineEnd}`
  return `${line}${fields.map(writtenField).join('')}${headEnd}${typeof content === 'string' ? content : writtenChunks(content)}`
}

function writtenField({ name, colon, value, end }: Field): string {
  return `${name}${colon}${value}${end}`
}

function writtenChunks({ chunks, trailers, end }: ChunkedContent): string {
  const text = chunks.map(({ size, extension, sizeEnd, data, dataEnd }) => `${size}${extension}${sizeEnd}${data}${dataEnd}`)
  return `${text.join('')}${trailers.map(writtenField).join('')}${end}`
}
