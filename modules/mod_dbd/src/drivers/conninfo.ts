/** Settings by name, as libpq names them. */
export type Conninfo = ReadonlyMap<string, string>

/** Settings of libpq that have effect here. */
const KNOWN: ReadonlySet<string> = new Set(
  'host hostaddr port dbname user password connect_timeout application_name options sslmode sslrootcert sslcert sslkey'.split(
    ' ',
  ),
)
/** Settings of libpq that are accepted without effect: encoding and keep-alive are the driver's own. */
const IGNORED: ReadonlySet<string> = new Set(
  'client_encoding fallback_application_name keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout'.split(
    ' ',
  ),
)

/**
 * Reads the text of DBDParams for PostgreSQL: `host=db dbname=site user=www password='a b'`, or a URL, as libpq does.
 * @throws Error in the words of libpq
 */
export function readConninfo(text: string): Conninfo {
  const settings = /^postgres(?:ql)?:\/\//.test(text) ? ofUrl(text) : ofPairs(text)
  for (const name of settings.keys()) {
    if (!KNOWN.has(name) && !IGNORED.has(name)) throw new Error(`invalid connection option "${name}"`)
  }
  return settings
}

function ofPairs(text: string): Map<string, string> {
  const settings = new Map<string, string>()
  let rest = text.trimStart()
  while (rest !== '') {
    const name = /^[^\s=]+/.exec(rest)?.[0] ?? ''
    const equals = /^\s*=\s*/.exec(rest.slice(name.length))?.[0]
    if (name === '' || equals === undefined) {
      throw new Error(`missing "=" after "${name}" in connection info string`)
    }
    const { value, length } = readValue(rest.slice(name.length + equals.length))
    settings.set(name, value)
    rest = rest.slice(name.length + equals.length + length).trimStart()
  }
  return settings
}

/** A value in single quotation marks, or up to the next white space. A backslash escapes the next character. */
function readValue(text: string): { readonly value: string; readonly length: number } {
  const isQuoted = text.startsWith("'")
  let value = ''
  let at = isQuoted ? 1 : 0
  for (; at < text.length; at++) {
    const char = text[at] ?? ''
    if (isQuoted ? char === "'" : /\s/.test(char)) return { value, length: isQuoted ? at + 1 : at }
    if (char === '\\' && at + 1 < text.length) at++
    value += text[at]
  }
  if (isQuoted) throw new Error('unterminated quoted string in connection info string')
  return { value, length: at }
}

function ofUrl(text: string): Map<string, string> {
  const url = new URL(text)
  const settings = new Map<string, string>()
  const set = (name: string, value: string): void => {
    if (value !== '') settings.set(name, decodeURIComponent(value))
  }
  set('user', url.username)
  set('password', url.password)
  set('host', url.hostname)
  set('port', url.port)
  set('dbname', url.pathname.slice(1))
  for (const [name, value] of url.searchParams) settings.set(name, value)
  return settings
}
