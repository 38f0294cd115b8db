import type { Random } from '../fixtures/random.ts'

/** A request of a sequence. `@TOKEN n@` is the n-th token that the same server has given. */
export interface DavRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const NAMES: readonly string[] = [
  'a',
  'b',
  'sub/',
  'sub/a',
  'sub/b',
  'sub/deep/',
  'sub/deep/c',
  'other/',
  'other/d',
  'none/x',
  'n%20%26.txt',
]

/** Random requests on a few names, so that most of them meet what others have left. */
export class DavRequestGenerator {
  readonly #random: Random
  readonly #host: string
  readonly #folder: string
  #tokens = 0

  /** @param host of destinations @param folder the URL path of the sequence, with a slash at the end */
  constructor(random: Random, host: string, folder: string) {
    this.#folder = folder
    this.#random = random
    this.#host = host
  }

  /** The requests of one sequence. */
  sequence(length: number): DavRequest[] {
    this.#tokens = 0
    return Array.from({ length }, () => this.#request())
  }

  #request(): DavRequest {
    const random = this.#random
    const path = `${this.#folder}${random.pick(NAMES)}`
    const method = random.pick(METHODS)
    const headers: Record<string, string> = {}
    if (this.#tokens > 0 && random.percent(30)) headers['If'] = this.#condition(path)
    if (random.percent(5)) headers['If-Match'] = random.pick(['*', '"x"'])
    if (random.percent(5)) headers['If-None-Match'] = '*'
    if (random.percent(25)) headers['Depth'] = random.pick(['0', '1', 'infinity', '2'])
    let body = ''
    switch (method) {
      case 'PUT':
        body = random.pick(['', 'one', 'two two'])
        break
      case 'COPY':
      case 'MOVE':
        headers['Destination'] = `http://${this.#host}${this.#destination(path)}`
        if (random.percent(40)) headers['Overwrite'] = random.pick(['T', 'F'])
        break
      case 'PROPFIND':
        headers['Depth'] = random.pick(['0', '1', 'infinity'])
        body = `<D:propfind xmlns:D="DAV:" xmlns:z="urn:z">${random.pick(ASKED)}</D:propfind>`
        break
      case 'PROPPATCH':
        body = `<D:propertyupdate xmlns:D="DAV:" xmlns:z="urn:z">${random.several(1, 3, () => random.pick(CHANGES)).join('')}</D:propertyupdate>`
        break
      case 'LOCK':
        this.#tokens++
        headers['Timeout'] = 'Second-3600'
        body = `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${random.pick(['exclusive', 'shared'])}/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>me</D:owner></D:lockinfo>`
        break
      case 'UNLOCK':
        headers['Lock-Token'] = `<${this.#token()}>`
        break
    }
    return { method, path, headers, body }
  }

  /** Not a folder around the source: httpd removes that with its content, and fails then. */
  #destination(path: string): string {
    for (;;) {
      const found = `${this.#folder}${this.#random.pick(NAMES)}`
      if (!found.endsWith('/') || !path.startsWith(found) || path === found) return found
    }
  }

  #condition(path: string): string {
    const random = this.#random
    const tag = random.percent(60)
      ? `<http://${this.#host}${random.percent(70) ? path : `${this.#folder}${random.pick(NAMES)}`}> `
      : ''
    return `${tag}(${random.percent(10) ? 'Not ' : ''}<${this.#token()}>)`
  }

  #token(): string {
    return `@TOKEN ${this.#random.below(Math.max(1, this.#tokens))}@`
  }
}

const METHODS: readonly string[] = [
  'PUT',
  'PUT',
  'DELETE',
  'MKCOL',
  'MKCOL',
  'COPY',
  'COPY',
  'MOVE',
  'PROPFIND',
  'PROPPATCH',
  'LOCK',
  'UNLOCK',
  'GET',
  'OPTIONS',
]

const ASKED: readonly string[] = [
  '<D:prop><D:resourcetype/><D:getcontentlength/></D:prop>',
  '<D:prop><z:a/><z:b/></D:prop>',
  '<D:prop><D:lockdiscovery/></D:prop>',
  '<D:propname/>',
]

const CHANGES: readonly string[] = [
  '<D:set><D:prop><z:a>1</z:a></D:prop></D:set>',
  '<D:set><D:prop><z:b><z:c x="1">t</z:c></z:b></D:prop></D:set>',
  '<D:remove><D:prop><z:a/></D:prop></D:remove>',
  '<D:set><D:prop><D:getetag>x</D:getetag></D:prop></D:set>',
]
