import type { PolicyServer } from '../policy-server.ts'

/** A configuration with its sections and servers, as the server bound it. */
export type Generation = PolicyServer['snapshot']['configuration']
