/** htpasswd's exit statuses. */
export const DONE = 0
/** The file cannot be read, created or replaced. */
export const FILE_REFUSED = 1
/** The command line is invalid. */
export const WRONG_USAGE = 2
/** Two passwords differ, the password is wrong, or it cannot be hashed. */
export const WRONG_PASSWORD = 3
export const INTERRUPTED = 4
/** A name, a password or the resulting line is too long. */
export const TOO_LONG = 5
/** The user's name is invalid, or it is not in the file. */
export const WRONG_USER = 6
/** The file is not a password file. */
export const WRONG_FILE = 7
