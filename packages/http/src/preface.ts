/**
 * Reads what stands before the first request of a connection, as a proxy's word about its client. It is given all that has come so far, whenever more comes, and says
 * how many bytes of it the preface takes, that it needs more of them, or that the connection is to be closed. The bytes are good for the time of the call.
 */
export type Preface = (bytes: Uint8Array) => number | 'more' | 'refuse'
