/** What a line of an error log says of its request. */
export interface LoggedError {
  /** A path of the file system or of a URL. */
  readonly path: string
  readonly client: string | null
  readonly user: string | null
  readonly referer: string | null
  /** What the message means; '' for one that is not known. */
  readonly meaning: string
}

interface Meaning {
  /** Finds `user` and `path` in the message. */
  readonly message: RegExp
  readonly text: string
}

const DENIED: Meaning = {
  message: /^client denied by server configuration: (?:uri )?(?<path>.*)$/,
  text: 'no rule grants this client access, and other credentials would not help',
}

/** Messages by number. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  AH00035: {
    message: /^access to (?<path>.*?) denied/,
    text: 'the user of the server needs search permission on every folder of the path',
  },
  AH00037: { message: /: (?<path>\/.*)$/, text: 'Options does not permit the symbolic link, or its target cannot be read' },
  AH00128: { message: /^File does not exist: (?<path>.*)$/, text: 'the URL leads to a file that does not exist' },
  AH00670: { message: / : (?<path>\/.*)$/, text: 'rewrite rules of folders need Options FollowSymLinks or SymLinksIfOwnerMatch' },
  AH01276: {
    message: /^Cannot serve directory (?<path>.*?): /,
    text: 'no DirectoryIndex file exists, and Options Indexes is not set',
  },
  AH01617: {
    message: /^user (?<user>.*): authentication failure for "(?<path>.*?)": /,
    text: 'the password is wrong',
  },
  AH01618: { message: /^user (?<user>.*) not found: (?<path>.*)$/, text: 'no password file in force knows the user' },
  AH01630: DENIED,
  AH01631: {
    message: /^user (?<user>.*): authorization failure for "(?<path>.*?)": /,
    text: 'the user signed in, and no Require line grants this user access',
  },
  AH01797: { ...DENIED, text: 'Order, Allow and Deny refuse this client' },
}

const ACCESS_FILE: Meaning = {
  message: /^(?<path>\/\S*\/)\.ht\w+: /,
  text: 'the .htaccess file has a mistake, and every request below its folder is answered with 500',
}
const ANY_PATH: Meaning = { message: /(?<path>\/[^\s'",)]*)/, text: '' }

/** Reads a line of an error log; null if it is not about a request, or names no path. */
export function readErrorLine(line: string): LoggedError | null {
  const [, client = null, code = null, message = ''] =
    /\[client (?:\[?([\da-fA-F.:]+?)\]?(?::\d+)?)\] (?:(AH\d{5}): )?(.*)$/.exec(line) ??
      /^(?!.*\[client )(?:.*\] )?(?:()(AH\d{5}): )(.*)$/.exec(line) ?? [null, null, null, '']
  const [, text = message, referer = null] = /^(.*), referer: (\S.*)$/.exec(message) ?? []
  const known = code === null ? undefined : MEANINGS[code]
  for (const meaning of [...(known === undefined ? [] : [known]), ACCESS_FILE, ANY_PATH]) {
    const found = meaning.message.exec(text)?.groups
    if (found?.path?.startsWith('/') === true)
      return { path: found.path, client: client === '' ? null : client, user: found.user ?? null, referer, meaning: meaning.text }
  }
  return null
}

/**
 * The URL path of a path in a message: without the document root, if it is below one.
 * @param documentRoots of all servers
 */
export function urlPathOf(path: string, documentRoots: readonly string[]): string {
  const root = documentRoots
    .filter((folder) => folder !== '/' && (path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)))
    .sort((a, b) => b.length - a.length)[0]
  if (root === undefined) return path
  const rest = path.slice(root.replace(/\/$/, '').length)
  return rest === '' ? '/' : rest
}
