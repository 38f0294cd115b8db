export { type CgiHead, CgiHeadReader, type CgiHeadStatus } from './cgi-head.ts'
export { FastcgiExchange, type FastcgiListener } from './fastcgi-exchange.ts'
export type { FastcgiRequest } from './fastcgi-request.ts'
export { decodeNameValues, encodeNameValues } from './name-values.ts'
