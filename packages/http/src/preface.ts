/**
 * Reads data before the first request of a connection, such as a proxy's information about its client.
 * Whenever data arrives, it receives all bytes so far. It returns the length of the preface in bytes, `more`,
 * or `refuse` to close the connection. The bytes are valid only during the call.
 */
export type Preface = (bytes: Uint8Array) => number | 'more' | 'refuse'
