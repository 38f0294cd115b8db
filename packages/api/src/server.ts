/**
 * One address of a virtual host.
 * @since 2.4.3
 */
export interface ServerAddress {
  /** An address, or `*`. */
  readonly address: string
  /** A port, or 0 for any. */
  readonly port: number
}

/** A virtual host, or the main server. */
export interface Server {
  /** ServerName without scheme and port, or the guessed name. */
  readonly serverName: string
  /** Port of ServerName, 0 when it has none. */
  readonly serverPort: number
  /** Scheme of ServerName, for URLs that the server makes of itself. */
  readonly scheme: 'http' | 'https'
  /** ServerAdmin, null when there is none. */
  readonly serverAdmin: string | null
  /** DocumentRoot, absolute and without a slash at its end. */
  readonly documentRoot: string
  /** False for the main server alone. */
  readonly isVirtual: boolean
  /**
   * Addresses of the `<VirtualHost>` line: `*` and 0 stand for any. None for the main server.
   * @since 2.4.3
   */
  readonly addresses: readonly ServerAddress[]
  /** Where the virtual host is defined; the main file and line 0 for the main server. */
  readonly file: string
  /** Line of `<VirtualHost>`, from 1; 0 for the main server. */
  readonly line: number
  /** Timeout in milliseconds, KeepAliveTimeout likewise. */
  readonly timeout: number
  /** KeepAliveTimeout in milliseconds. */
  readonly keepAliveTimeout: number
  /**
   * LimitRequestLine, in bytes.
   * @since 2.4.4
   */
  readonly limitRequestLine: number
  /** Per-server configuration of all modules, by module number: read it through `serverConfigOf`. */
  readonly moduleConfig: readonly unknown[]
}
