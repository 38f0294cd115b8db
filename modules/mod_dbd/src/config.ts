import type { PoolLimits } from './pool/pool.ts'

/** The configuration of a server. Unset values are undefined. */
export interface DbdConfig {
  /** DBDriver. */
  driver?: string
  /** DBDParams. */
  params?: string
  /** DBDPersist. */
  persist?: boolean
  /** DBDMin. */
  min?: number
  /** DBDKeep. */
  keep?: number
  /** DBDMax. */
  max?: number
  /** DBDExptime in seconds. */
  exptime?: number
  /** Statements by label: those of DBDPrepareSQL, and of other modules. An empty one takes an inherited statement away. */
  readonly statements: Map<string, string>
  /** DBDInitSQL lines, those of the virtual host first. */
  readonly init: readonly string[]
}

export function createConfig(): DbdConfig & { init: string[] } {
  return { statements: new Map(), init: [] }
}

export function mergeConfig(base: Readonly<DbdConfig>, over: Readonly<DbdConfig>): DbdConfig & { init: string[] } {
  return {
    driver: over.driver ?? base.driver,
    params: over.params || base.params,
    persist: over.persist ?? base.persist,
    min: over.min ?? base.min,
    keep: over.keep ?? base.keep,
    max: over.max ?? base.max,
    exptime: over.exptime ?? base.exptime,
    statements: new Map([...base.statements, ...over.statements]),
    init: [...over.init, ...base.init],
  }
}

/** The limits of a pool; the defaults are httpd's. @param timeout milliseconds */
export function limitsOf({ min = 1, keep = 2, max = 10, exptime = 300 }: Readonly<DbdConfig>, timeout: number): PoolLimits {
  return { min, keep, max, idle: exptime * 1000, patience: timeout }
}

/** Whether two servers can share connections: everything that makes a connection is the same. */
export function areAlike(one: Readonly<DbdConfig>, other: Readonly<DbdConfig>): boolean {
  return keyOf(one) === keyOf(other)
}

function keyOf(config: Readonly<DbdConfig>): string {
  const statements = [...config.statements].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const { driver, params = '', init } = config
  return JSON.stringify([driver, params, limitsOf(config, 0), statements, init])
}
