export { type FieldSink, HpackDecoder } from './decoder.ts'
export { HpackEncoder } from './encoder.ts'
export { decodeHuffman, encodeHuffman } from './huffman-code.ts'
