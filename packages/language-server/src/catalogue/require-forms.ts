/** A form of a Require line: what follows its provider, and what it means. */
export interface RequireForm {
  readonly words: string
  /** With placeholders for editors that have snippets. */
  readonly snippet: string
  readonly about: string
}

/** Forms by provider. A provider that is not listed is completed by its name alone. */
export const REQUIRE_FORMS: Readonly<Record<string, readonly RequireForm[]>> = {
  all: [
    { words: 'all granted', snippet: 'all granted', about: 'grants access to everybody' },
    { words: 'all denied', snippet: 'all denied', about: 'denies access to everybody' },
  ],
  ip: [{ words: 'ip', snippet: 'ip ${1:192.0.2.0/24}', about: 'clients with these addresses or networks' }],
  host: [{ words: 'host', snippet: 'host ${1:example.org}', about: 'clients whose name ends like this, by a double look-up' }],
  'forward-dns': [
    { words: 'forward-dns', snippet: 'forward-dns ${1:name.example.org}', about: 'clients with an address of this name' },
  ],
  local: [{ words: 'local', snippet: 'local', about: 'clients on the server itself' }],
  user: [{ words: 'user', snippet: 'user ${1:name}', about: 'these users' }],
  'valid-user': [{ words: 'valid-user', snippet: 'valid-user', about: 'every user with a correct password' }],
  group: [{ words: 'group', snippet: 'group ${1:name}', about: 'members of these groups of AuthGroupFile' }],
  'file-owner': [{ words: 'file-owner', snippet: 'file-owner', about: 'the user who owns the file' }],
  'file-group': [{ words: 'file-group', snippet: 'file-group', about: 'members of the group that owns the file' }],
  env: [{ words: 'env', snippet: 'env ${1:VARIABLE}', about: 'requests for which one of these variables is set' }],
  method: [{ words: 'method', snippet: 'method ${1:GET POST}', about: 'requests with these methods' }],
  expr: [{ words: 'expr', snippet: 'expr "${1:%{REQUEST_URI} == \'/\'}"', about: 'requests for which the expression is true' }],
  ssl: [{ words: 'ssl', snippet: 'ssl', about: 'requests over TLS' }],
  'ssl-verify-client': [
    { words: 'ssl-verify-client', snippet: 'ssl-verify-client', about: 'clients with a verified certificate' },
  ],
}

/** Flags of RewriteRule, with their meanings. */
export const REWRITE_FLAGS: readonly (readonly [flag: string, about: string])[] = [
  ['L', 'last: no further rule of this round'],
  ['END', 'ends rewriting, also of later rounds'],
  ['R=301', 'redirects the client'],
  ['R=302', 'redirects the client'],
  ['F', '403 Forbidden'],
  ['G', '410 Gone'],
  ['NC', 'ignores case'],
  ['QSA', 'appends the query of the request'],
  ['QSD', 'discards the query of the request'],
  ['NE', 'does not escape the result'],
  ['P', 'sends the request through the proxy'],
  ['PT', 'passes the result on to Alias and others'],
  ['C', 'chained with the next rule'],
  ['N', 'starts again with the first rule'],
  ['S=1', 'skips the next rules'],
  ['E=NAME:VALUE', 'sets an environment variable'],
  ['T=TYPE', 'sets the type of the content'],
  ['H=HANDLER', 'sets the handler'],
  ['B', 'escapes groups again'],
  ['DPI', 'discards path info'],
  ['OR', 'RewriteCond: this or the next condition'],
]
