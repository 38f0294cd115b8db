import * as h2load from './h2load.mjs'
import * as overtaking from './overtaking.mjs'
import * as wrk from './wrk.mjs'

/**
 * The client of a scenario: wrk, h2load for those of HTTP/2, or the one that asks for something small meanwhile.
 * @returns {typeof import('./wrk.mjs').load}
 */
export function clientOf({ http2 }) {
  if (http2 === undefined) return wrk.load
  if (http2.meanwhile !== undefined) return (url, options) => overtaking.load(url, { ...options, meanwhile: http2.meanwhile })
  return (url, options) => h2load.load(url, { ...options, streams: http2.streams })
}
