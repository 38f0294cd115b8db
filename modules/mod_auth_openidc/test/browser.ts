import type { TestServer } from '@gatewright/testing'
import type { TestProvider } from './test-provider.ts'

/** An answer of the server, with the fields that these tests look at. */
export interface Seen {
  readonly status: number
  readonly body: string
  readonly location: string
  readonly cookies: readonly string[]
  header(name: string): string | undefined
}

/** A client that keeps cookies, as browsers do. */
export class Browser {
  readonly #server: TestServer
  readonly cookies: Map<string, string> = new Map()

  constructor(server: TestServer) {
    this.#server = server
  }

  /** Opens a page of the server. */
  async get(target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Seen> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#server.inject({
      method,
      target,
      headers: { Host: 'localhost', Accept: 'text/html', ...(cookie !== '' && { Cookie: cookie }), ...headers },
    })
    const set = answer.headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value)
    for (const text of set) {
      const [pair = '', ...attributes] = text.split('; ')
      const [name = '', value = ''] = pair.split('=', 2)
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return {
      status: answer.status,
      body: answer.body,
      location: answer.header('Location') ?? '',
      cookies: set,
      header: (name) => answer.header(name),
    }
  }

  /** Opens a page, logs in, and comes back. @returns the answer to the way back */
  async login(provider: TestProvider, target = '/f.txt'): Promise<Seen> {
    const { location } = await this.get(target)
    return this.back(await provider.login(location))
  }

  /** Follows the redirect of a provider. */
  back(url: URL): Promise<Seen> {
    return this.get(url.pathname + url.search)
  }
}
