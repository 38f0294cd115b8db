/** What distinguishes the two modules that run CGI programs. */
export interface Flavour {
  /** `mod_cgi.c`. */
  readonly source: string
  /** Where the errors of scripts go: to the error log as they are, or line by line with the client. */
  readonly errors: 'server' | 'apart'
  /** Numbers of messages. */
  readonly codes: {
    readonly execOff: string
    readonly unparsedIncluded: string
    readonly missing: string
    readonly folder: string
    readonly pathInfo: string
    readonly body: string
  }
}

export const CGID: Flavour = {
  source: 'mod_cgid.c',
  errors: 'server',
  codes: {
    execOff: 'AH01262',
    unparsedIncluded: 'AH01263',
    missing: 'AH01264',
    folder: 'AH01265',
    pathInfo: 'AH01266',
    body: 'AH01270',
  },
}

export const CGI: Flavour = {
  source: 'mod_cgi.c',
  errors: 'apart',
  codes: {
    execOff: 'AH02809',
    unparsedIncluded: 'AH02810',
    missing: 'AH02811',
    folder: 'AH02812',
    pathInfo: 'AH02813',
    body: 'AH01225',
  },
}
