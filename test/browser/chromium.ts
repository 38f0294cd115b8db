import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

/** The path of an installed Chromium; null if there is none. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null
}

/** A message of the browser: an answer to a command, or an event. */
interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
  readonly sessionId?: string
}

/** A headless browser, controlled through its DevTools protocol. */
export class Chromium {
  readonly #process: ChildProcess
  readonly #folder: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>()
  readonly #listeners = new Map<string, (message: Message) => void>()
  #last = 0

  private constructor(process: ChildProcess, folder: string, socket: WebSocket) {
    this.#process = process
    this.#folder = folder
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data))))
  }

  /**
   * @param more options besides those that every test needs
   * @param env variables that other programs do not have
   * @throws Error if it ends before it listens
   */
  static async start(
    program: string,
    more: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Chromium> {
    const folder = mkdtempSync(join(tmpdir(), 'gatewright-chromium-'))
    const options = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--no-first-run',
      '--remote-debugging-port=0',
    ]
    const child = spawn(program, [...options, ...more, `--user-data-dir=${folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    })
    const address = await debuggingAddress(child)
    const socket = new WebSocket(address)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error(`${program} does not talk at ${address}`)))
    })
    return new Chromium(child, folder, socket)
  }

  async open(): Promise<Page> {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    const page = new Page(this, String(sessionId))
    this.#listeners.set(String(sessionId), (message) => page.hear(message.method ?? '', message.params ?? {}))
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`)
    return page
  }

  send(method: string, params: object = {}, sessionId?: string): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#last
    const answer = Promise.withResolvers<Readonly<Record<string, unknown>>>()
    this.#waiting.set(id, answer)
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }))
    return answer.promise
  }

  /** Lets it end by itself, so that it writes what it has to write. Call `close` afterwards. */
  async quit(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    await this.send('Browser.close')
    await ended
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#process
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#socket.close()
    if (exitCode === null && signalCode === null) {
      this.#process.kill('SIGKILL')
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #hear(message: Message): void {
    if (message.id === undefined) {
      if (message.sessionId !== undefined) this.#listeners.get(message.sessionId)?.(message)
      return
    }
    const answer = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.error === undefined) answer?.resolve(message.result ?? {})
    else answer?.reject(new Error(message.error.message))
  }
}

/** A tab. */
export class Page {
  /** Problems: uncaught errors, messages of the console, violations of a policy, failed requests. */
  readonly complaints: string[] = []
  readonly #browser: Chromium
  readonly #session: string
  #loaded = Promise.withResolvers<void>()

  constructor(browser: Chromium, session: string) {
    this.#browser = browser
    this.#session = session
  }

  send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.#browser.send(method, params, this.#session)
  }

  hear(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method === 'Page.loadEventFired') this.#loaded.resolve()
    if (method === 'Runtime.exceptionThrown' || method === 'Runtime.consoleAPICalled')
      this.complaints.push(JSON.stringify(params))
    if (method === 'Log.entryAdded') this.complaints.push(JSON.stringify(params))
  }

  /** Loads an address, and waits until it is complete. */
  async visit(url: string): Promise<void> {
    this.#loaded = Promise.withResolvers<void>()
    await this.send('Page.navigate', { url })
    await this.#loaded.promise
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
  }

  async prefer(scheme: 'light' | 'dark'): Promise<void> {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
  }

  /** Value of an expression in the page; a promise is awaited. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return typeof result === 'object' && result !== null && 'value' in result ? result.value : undefined
  }

  /** Resolves when an expression is true in the page. @throws Error after ten seconds */
  async until(condition: string): Promise<void> {
    const watch = `new Promise((resolve) => {
      const end = Date.now() + 10000
      const look = () => (${condition}) ? resolve(true) : Date.now() > end ? resolve(false) : setTimeout(look, 20)
      look()
    })`
    if ((await this.evaluate(watch)) !== true) throw new Error(`still not true: ${condition}`)
  }

  /** The whole page as PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true })
    return Buffer.from(String(data), 'base64')
  }
}

function debuggingAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stderr === null) return reject(new Error('its standard error is not read'))
    createInterface(child.stderr).on('line', (line) => {
      const address = /^DevTools listening on (ws:.*)$/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('exit', (status) => reject(new Error(`the browser ended with ${status}`)))
  })
}
