// Numbers instead of names: they are compared in the loop over the phases.

/** Values of `walkStage`. */
export const NOT_WALKED: number = 0
export const TRANSLATED: number = 1
/** The walk through folders has begun, with the server's defaults. */
export const MAPPING: number = 2
/** Folders and files were walked. */
export const STORED: number = 3
/** The configuration is complete. */
export const WALKED: number = 4

/** Values of `access`: the access decision so far. */
export const ACCESS_UNDECIDED: number = 0
/** Granted without asking for the user's name. */
export const ACCESS_WITHOUT_USER: number = 1
/** The decision depends on the user's name. */
export const ACCESS_NEEDS_USER: number = 2
export const ACCESS_GRANTED: number = 3
