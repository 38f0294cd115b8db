/**
 * Reads data before the first request of a connection, such as a proxy's information about its client. It
 * receives everything that has arrived so far, whenever more arrives, and returns the length of the preface
 * in bytes, or that it needs more, or that the connection is to be closed. The bytes are valid only during
 * the call.
 */
export type Preface = (bytes: Uint8Array) => number | 'more' | 'refuse'
