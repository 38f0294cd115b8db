/** Nobody's user id; what root may do, it may not. */
const NOBODY = 65_534

/** Runs something with the rights of a user who owns nothing; as it is when this process has no others anyway. */
export async function withoutRights<T>(run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0 || process.seteuid === undefined) return run()
  process.seteuid(NOBODY)
  try {
    return await run()
  } finally {
    process.seteuid(0)
  }
}
