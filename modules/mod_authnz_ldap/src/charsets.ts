import type { HostServices, ModuleLog, Request, Server, StartContext } from '@gatewright/api'

/** Converts names from the character set of the browser's language to UTF-8 (AuthLDAPCharsetConfig). */
export class CharsetConversion {
  readonly #charsets = new Map<string, string>()
  readonly #log: ModuleLog
  #isUsed = false

  constructor(log: ModuleLog) {
    this.#log = log
  }

  /**
   * Reads the file.
   * @returns '' if it cannot be used, which is logged
   */
  async read(path: string, server: Server, services: HostServices, { checkOnly }: StartContext): Promise<'' | undefined> {
    if (checkOnly) return undefined
    let text: string
    try {
      text = await services.fileText(path, 1024 * 1024)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      this.#log.write(server, 'error', 'AH01751', `could not open charset conversion config file ${path}.`, error)
      return ''
    }
    for (const line of text.split('\n')) {
      const [language, charset] = line.trim().split(/\s+/)
      if (language === undefined || charset === undefined || language.startsWith('#')) continue
      this.#charsets.set(language.toLowerCase(), charset)
    }
    if (![...this.#charsets.values()].some((name) => name.toLowerCase() === 'utf-8')) {
      this.#log.write(server, 'error', 'AH01752', `could not find the UTF-8 charset in the file ${path}.`)
      return ''
    }
    this.#isUsed = true
    return undefined
  }

  /** The name in UTF-8, as bytes; as it is if its character set is not known. */
  converted(request: Request, name: string): string {
    const language = this.#isUsed ? /^[^,;-]+/.exec(request.headersIn.get('Accept-Language') ?? '')?.[0] : undefined
    const charset = language === undefined ? undefined : this.#charsets.get(language.trim().toLowerCase())
    if (charset === undefined || charset.toLowerCase() === 'utf-8') return name
    try {
      const text = new TextDecoder(charset).decode(Buffer.from(name, 'latin1'))
      return Buffer.from(text).toString('latin1')
    } catch {
      // A character set that Node does not know.
      return name
    }
  }
}
