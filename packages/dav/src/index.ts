/**
 * What mod_dav and its repositories share: documents, errors, conditions, and the interface of a repository.
 * @module
 */

export * from './dav-error.ts'
export * from './if-header.ts'
export * from './parse-xml.ts'
export * from './repository.ts'
export * from './write-xml.ts'
export * from './xml-element.ts'
