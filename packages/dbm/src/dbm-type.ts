/** `default` stands for whichever of the three the file is. */
export type DbmType = 'default' | 'sdbm' | 'gdbm' | 'db'

export const DBM_TYPES: readonly DbmType[] = Object.freeze(['default', 'sdbm', 'gdbm', 'db'])

/**
 * A type as `AuthDBMType`, `AuthzDBMType` and the tools' `-T` and `-f` have it, in any case.
 * @returns undefined for a type without driver, NDBM among them
 */
export function parseDbmType(text: string): DbmType | undefined {
  const lower = text.toLowerCase()
  return DBM_TYPES.find((type) => type === lower)
}
