/** The settings of DBDParams that APR's driver for MySQL knows. */
export interface MysqlParams {
  readonly host?: string
  readonly user?: string
  readonly pass?: string
  readonly dbname?: string
  readonly port?: string
  readonly sock?: string
  /** `CLIENT_FOUND_ROWS`: changes count rows that were found, even if they had the values before. */
  readonly flags?: string
  /** Accepted without effect: the client needs no buffers of a fixed size, reads no option files, and never reconnects by itself. */
  readonly fldsz?: string
  readonly group?: string
  readonly reconnect?: string
}

const NAMES: ReadonlySet<string> = new Set([
  'host',
  'user',
  'pass',
  'dbname',
  'port',
  'sock',
  'flags',
  'fldsz',
  'group',
  'reconnect',
])

/**
 * Reads the text of DBDParams for MySQL: `host=db,user=www,pass=secret,dbname=site`. As in APR, a setting ends at a blank,
 * comma, semicolon or bar, so a password cannot contain one of these, nor `=`; unknown settings have no effect.
 */
export function readMysqlParams(text: string): MysqlParams {
  const params: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/([A-Za-z]+)\s*=\s*([^= \r\n\t;|,]*)/g)) {
    if (NAMES.has(name)) params[name] = value
  }
  return params
}
