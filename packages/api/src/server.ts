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

/**
 * A `Listen` line.
 * @since 2.4.6
 */
export interface ListenedAddress {
  /** An address, or `*`. */
  readonly address: string
  /** The port, 1 to 65535. */
  readonly port: number
  /** The protocol in lower case: `https`. */
  readonly protocol: string
}

/** A virtual host, or the main server. */
export interface Server {
  /** ServerName without scheme and port, or the guessed name. */
  readonly serverName: string
  /** Port of ServerName, 0 if it has none. */
  readonly serverPort: number
  /**
   * Scheme of URLs that the server makes of itself: what a module says of the server
   * ({@link peers!schemeOf | schemeOf}), else the scheme of ServerName.
   */
  readonly scheme: 'http' | 'https'
  /** ServerAdmin, null if there is none. */
  readonly serverAdmin: string | null
  /** DocumentRoot, absolute and without a trailing slash. */
  readonly documentRoot: string
  /** False only for the main server. */
  readonly isVirtual: boolean
  /**
   * Addresses of the `<VirtualHost>` line: `*` and 0 match any. Empty for the main server.
   * @since 2.4.3
   */
  readonly addresses: readonly ServerAddress[]
  /**
   * The protocol that its addresses have by `Listen ADDRESS PROTOCOL`, in lower case: that of the first
   * listener with exactly one of the addresses of a virtual host that has a ServerName, else `http`. A listener
   * without protocol has `https` on port 443 and `http` elsewhere.
   * @since 2.4.6
   */
  readonly protocol: string
  /**
   * The names of its Protocols lines, or those of the main server, in order; empty without any, which means
   * HTTP/1.1 alone.
   * @since 2.4.6
   */
  readonly protocols: readonly string[]
  /**
   * Names of ServerAlias lines without wildcards, in lower case and in order.
   * @since 2.4.6
   */
  readonly aliases: readonly string[]
  /** The file that defines the virtual host; the main file for the main server. */
  readonly file: string
  /** Line of `<VirtualHost>`, from 1; 0 for the main server. */
  readonly line: number
  /** Timeout in milliseconds. */
  readonly timeout: number
  /** KeepAliveTimeout in milliseconds. */
  readonly keepAliveTimeout: number
  /**
   * LimitRequestLine, in bytes.
   * @since 2.4.4
   */
  readonly limitRequestLine: number
  /**
   * TraceEnable.
   * @since 2.4.6
   */
  readonly traceMethod: 'on' | 'off' | 'extended'
  /**
   * True for `AllowEncodedSlashes NoDecode`: the path of a request may contain `%2f`.
   * @since 2.4.6
   */
  readonly keepsEncodedSlashes: boolean
  /** Per-server configuration of all modules, by module number: read it through `serverConfigOf`. */
  readonly moduleConfig: readonly unknown[]
}
