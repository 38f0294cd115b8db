import type { Condition, FilteredBody, ModuleHost, ModuleLog, Request } from '@gatewright/api'
import { type IncludeElement, includeElement } from '@gatewright/api/peers'
import { BytePipe } from './byte-pipe.ts'
import type { IncludeConfig, IncludeServerConfig } from './config.ts'
import type { ElementText } from './element-reader.ts'
import { beginElif, beginElse, beginIf, endIf } from './elements/conditions.ts'
import { config } from './elements/config.ts'
import { flastmod, fsize } from './elements/described-file.ts'
import { echo } from './elements/echo.ts'
import type { ElementAction } from './elements/element.ts'
import { include } from './elements/include.ts'
import { printenv } from './elements/printenv.ts'
import { set } from './elements/set.ts'
import { decodeEntities } from './entities.ts'
import { Page, type PageParts } from './page.ts'
import { PageSplitter } from './page-splitter.ts'
import { addResponse } from './sub-response.ts'
import { Variables } from './variables.ts'

/** The tags around elements. */
export interface Tags {
  readonly startTag: string
  readonly endTag: string
}

/** Expressions of pages that are kept compiled. */
const KEPT_EXPRESSIONS = 500
/** A longer expression is not kept, in characters. */
const LONGEST_KEPT = 4096

/** Approximate microseconds for each part of a page. */
const STEPS = 50

/** Processes pages. */
export class Pages {
  readonly log: ModuleLog
  readonly #host: ModuleHost<IncludeConfig, IncludeServerConfig>
  readonly #parts: PageParts
  readonly #actions: ReadonlyMap<string, ElementAction>
  /** The pages that include sub-requests, until those are processed. */
  readonly #includers = new WeakMap<Request, Page>()
  /** The pages that are processed. */
  readonly #pages = new WeakMap<Request, Page>()
  readonly #expressions = new Map<string, Condition | { readonly error: string }>()

  constructor(host: ModuleHost<IncludeConfig, IncludeServerConfig>) {
    this.#host = host
    this.log = host.log
    this.#parts = { services: host.services, log: host.log, configOf: (request) => host.configOf(request) }
    const compile = (source: string): Condition | { readonly error: string } => this.#compile(source)
    this.#actions = new Map<string, ElementAction>([
      // What is in a comment is not sent.
      ['comment', () => {}],
      ['config', config],
      ['echo', echo],
      ['elif', (page, element) => beginElif(page, element, compile)],
      ['else', beginElse],
      ['endif', endIf],
      ['flastmod', flastmod],
      ['fsize', fsize],
      ['if', (page, element) => beginIf(page, element, compile)],
      ['include', (page, element) => include(page, element, (sub, includer) => this.#includers.set(sub, includer))],
      ['printenv', printenv],
      ['set', set],
    ])
  }

  /** The processed page, as a stream: its length is not known before it ends, as in httpd. */
  async process(request: Request, body: FilteredBody, tags: Tags): Promise<FilteredBody> {
    const pipe = new BytePipe()
    const made = pipe.read()
    request.onDone(() => void made.return(undefined))
    void this.#write(request, body, tags, pipe).then(
      () => pipe.end(),
      (error: unknown) => pipe.fail(error),
    )
    // Fields that elements set, such as Vary, belong to the head: the first part is made before it is sent.
    return withFirst(await made.next(), made)
  }

  async #write(request: Request, body: FilteredBody, tags: Tags, pipe: BytePipe): Promise<void> {
    const includer = this.#includers.get(request)
    const variables = includer?.variables ?? new Variables(request, this.#parts.services)
    const modifiedMs = includer?.modifiedMs ?? request.fileInfo?.mtimeMs ?? 0
    const page = new Page(request, variables, modifiedMs, pipe, this.#parts)
    if (includer !== undefined) variables.enter(request)
    this.#pages.set(request, page)
    try {
      await this.#processParts(page, body, tags)
    } finally {
      this.#pages.delete(request)
      if (includer !== undefined) variables.leave(request)
    }
  }

  async #processParts(page: Page, body: FilteredBody, { startTag, endTag }: Tags): Promise<void> {
    const splitter = new PageSplitter(startTag, endTag)
    const { work } = page.request
    for await (const piece of body instanceof Uint8Array ? [body] : body) {
      for (const part of splitter.push(piece)) {
        if (work.spend(STEPS)) await work.pause()
        if (!(part instanceof Uint8Array)) await this.#processElement(page, part)
        else if (page.isPrinting) page.add(part)
        if (page.isFull) await page.flush()
      }
    }
    if (splitter.isInElement) {
      page.log('AH01372', `SSI directive was not properly finished at the end of parsed document ${page.file}`)
      if (page.isPrinting) page.addError()
    } else if (page.isPrinting) page.add(splitter.rest)
    if (!page.isPrinting) page.logForm('AH01373', `missing closing endif directive in parsed document ${page.file}`)
    await page.flush()
  }

  async #processElement(page: Page, element: ElementText): Promise<void> {
    if (element.fault !== null) {
      reportFault(page, element)
      if (page.isPrinting) page.addError()
      return
    }
    const action = this.#actions.get(element.name)
    if (action !== undefined) return action(page, element)
    const added = page.isPrinting ? this.#addedElement(page, element) : undefined
    if (added !== undefined) return added
    page.log('AH01371', `unknown directive "${element.name}" in parsed doc ${page.file}`)
    if (page.isPrinting) page.addError()
  }

  /** An element of another module, such as `exec`. */
  #addedElement(page: Page, { name, attributes }: ElementText): Promise<void> | undefined {
    const hooked: IncludeElement = {
      name,
      attributes: attributes.map(([attribute, value]) => [attribute, value === null ? null : decodeEntities(value)] as const),
      request: page.request,
      variables: () => page.variables.entries(page),
      file: page.file,
      expand: (text) => page.expand(text),
      write: async (bytes) => {
        page.add(bytes)
        await page.flush()
      },
      include: async (sub) => (await addResponse(page, sub)) ?? 200,
      fail: () => page.addError(),
    }
    for (const add of this.#host.optionalHooks.of(includeElement)) {
      const added = add(hooked)
      if (added !== undefined) return added
    }
    return undefined
  }

  #compile(source: string): Condition | { readonly error: string } {
    const known = this.#expressions.get(source)
    if (known !== undefined) return known
    const compiled = this.#parts.services.condition(source, {
      v: (request, name) => {
        const page = this.#pages.get(request)
        return page === undefined ? '' : (page.variables.get(name, page) ?? '')
      },
    })
    if (source.length > LONGEST_KEPT) return compiled
    if (this.#expressions.size >= KEPT_EXPRESSIONS) {
      const [oldest] = this.#expressions.keys()
      this.#expressions.delete(oldest)
    }
    this.#expressions.set(source, compiled)
    return compiled
  }
}

function reportFault(page: Page, { name, fault }: ElementText): void {
  const { file } = page
  if (fault === 'no-name') page.log('AH01368', `missing directive name in parsed document ${file}`)
  else if (fault === 'bare-value') page.log('AH01369', `missing argument name for value to tag ${name} in ${file}`)
  else if (fault === 'bare-equals') page.log('AH01370', `missing argument name for value to tag ${name} in ${file}`)
  else page.log('', `an element of more than 1 MiB in parsed document ${file}`)
}

async function* withFirst(
  first: IteratorResult<Uint8Array, unknown>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done === true) return
  try {
    yield first.value
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
