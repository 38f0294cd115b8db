/**
 * What content filters share: compression, rewriting of bodies of any size, lines, fields of changed content.
 * @module
 */

export * from './accepts-coding.ts'
export * from './changed-content.ts'
export * from './charset.ts'
export * from './charset-rewriter.ts'
export * from './codec.ts'
export * from './compressor.ts'
export * from './content-encoding.ts'
export * from './etag-changes.ts'
export * from './lenient-charset.ts'
export * from './line-splitter.ts'
export * from './new-representation.ts'
export * from './recode.ts'
export * from './replacement.ts'
export * from './rewriter.ts'
export * from './upper-case.ts'
export * from './whole-number.ts'
