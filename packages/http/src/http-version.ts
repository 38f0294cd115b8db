// A version is 1000 times its major number plus its minor one.

/** A simple request without a version, and one whose version is none. */
export const HTTP_0_9 = 9
export const HTTP_1_0 = 1000
export const HTTP_1_1 = 1001
