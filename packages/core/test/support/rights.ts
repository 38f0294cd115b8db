/** The user id of nobody, which has none of root's rights. */
const NOBODY = 65_534

/** Runs a function with the rights of a user without files; unchanged if this process is not root. */
export async function withoutRights<T>(run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0 || process.seteuid === undefined) return run()
  process.seteuid(NOBODY)
  try {
    return await run()
  } finally {
    process.seteuid(0)
  }
}
