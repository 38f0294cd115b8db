/** `default` means any of the three formats, detected from the file. */
export type DbmType = 'default' | 'sdbm' | 'gdbm' | 'db'

export const DBM_TYPES: readonly DbmType[] = Object.freeze(['default', 'sdbm', 'gdbm', 'db'])

/**
 * Parses a type as written in `AuthDBMType`, `AuthzDBMType` and the tools' `-T` and `-f`, in any case.
 * @returns undefined for a type without a driver, NDBM among them
 */
export function parseDbmType(text: string): DbmType | undefined {
  const lower = text.toLowerCase()
  return DBM_TYPES.find((type) => type === lower)
}
