/** A file, given as data. */
export interface GivenFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
}

/** The request to explain. */
export interface GivenRequest {
  readonly method: string
  /** `/path`, or an absolute URL. */
  readonly url: string
  /** Header fields, one `Name: value` a line. */
  readonly fields: string
  /** The client's address. */
  readonly client: string
  /** '' for a request without credentials. */
  readonly user: string
  /** Null: the correct one, if the server knows the user. */
  readonly password: string | null
}

/** Everything that an answer depends on. */
export interface Case {
  /**
   * The path of the configuration among the files, as of httpd.conf; or the folder of a site whose .htaccess files are
   * read without a configuration.
   */
  readonly start: string
  readonly files: readonly GivenFile[]
  readonly request: GivenRequest
}
