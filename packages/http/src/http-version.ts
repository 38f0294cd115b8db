// A version is 1000 times its major number plus its minor one.

/** The version of a simple request, and of a request with an invalid version. */
export const HTTP_0_9 = 9
export const HTTP_1_0 = 1000
export const HTTP_1_1 = 1001
