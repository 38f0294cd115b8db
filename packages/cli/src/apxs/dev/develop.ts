import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterEachChange } from '../../after-each-change.ts'
import { absolutePath } from '../../byte-path.ts'
import { freePort } from '../../free-port.ts'
import type { ApxsConsole } from '../console.ts'
import { ApxsFailure, CommandFailure, reasonOf } from '../failure.ts'
import type { Installation } from '../installation.ts'
import { mainSource, moduleSources } from '../module-sources.ts'
import { packageFolderOf, sourcesOf } from '../sources.ts'
import { type CheckOptions, loadToolchain, type Toolchain } from '../toolchain.ts'
import { developmentConfiguration } from './development-configuration.ts'
import { DevelopmentServer } from './development-server.ts'
import { RequestPrinter } from './request-printer.ts'
import { foldersOfPackage } from './watched-package.ts'

/** The options of `apxs --dev`. */
export interface DevelopmentOptions {
  /** The folder of the package; undefined for the current one. */
  readonly folder: string | undefined
  /** 0 for any free port. */
  readonly port: number
  readonly debuggerPort: number
}

/**
 * `apxs --dev`: checks and builds the module of a package, serves it with the package's own configuration, and does so again after
 * every change, until a signal ends it. A version with mistakes is reported, and the former one continues to serve.
 */
export async function develop(options: DevelopmentOptions, installation: Installation, console: ApxsConsole): Promise<void> {
  const folder = resolve(options.folder ?? '.')
  const files = sourcesOf([folder])
  if (packageFolderOf(files[0]) === undefined || files[0] === folder) {
    throw new ApxsFailure(`${folder} is not the package of a module`, 'apxs -g -n NAME makes one')
  }
  const root = mkdtempSync(join(tmpdir(), 'apxs-dev-'))
  try {
    const session = await Session.begin({ ...options, folder, files, root }, installation, console)
    await session.run()
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface Place extends DevelopmentOptions {
  readonly folder: string
  readonly files: readonly string[]
  /** A temporary folder: the ServerRoot. */
  readonly root: string
}

class Session {
  readonly #place: Place
  readonly #sources: CheckOptions
  readonly #installation: Installation
  readonly #console: ApxsConsole
  readonly #kit: Toolchain
  readonly #checker: InstanceType<Toolchain['SourceChecker']>
  readonly #server: DevelopmentServer
  readonly #printer: RequestPrinter

  static async begin(place: Place, installation: Installation, console: ApxsConsole): Promise<Session> {
    const sources = moduleSources(place.files, installation, console)
    const kit = await loadToolchain(installation)
    const port = place.port === 0 ? await freePort() : place.port
    return new Session({ ...place, port }, sources, kit, installation, console)
  }

  private constructor(place: Place, sources: CheckOptions, kit: Toolchain, installation: Installation, console: ApxsConsole) {
    this.#place = place
    this.#sources = sources
    this.#installation = installation
    this.#console = console
    this.#kit = kit
    this.#checker = new kit.SourceChecker()
    const configuration = join(place.root, 'httpd.conf')
    this.#printer = new RequestPrinter(installation.programs, configuration, (line) => console.err(line))
    this.#server = new DevelopmentServer({
      programs: installation.programs,
      configuration,
      port: place.port,
      debuggerPort: place.debuggerPort,
      reported: (line) => console.err(line),
      served: this.#printer.served,
    })
  }

  async run(): Promise<void> {
    const top = absolutePath(Buffer.from(this.#place.folder).toString('latin1'))
    try {
      await afterEachChange([top], foldersOfPackage, () => this.#update())
    } finally {
      await this.#server.close()
      await this.#printer.close()
    }
  }

  /** Checks, builds and serves what the package contains now. */
  async #update(): Promise<void> {
    const began = performance.now()
    const isFirst = !this.#server.runs
    try {
      this.#check()
      const checked = performance.now()
      const include = await this.#build()
      const built = performance.now()
      this.#printer.forget()
      if (!(await this.#server.update())) {
        this.#console.err(isFirst ? 'not started: waiting for a change' : 'not reloaded: the former version continues to serve')
        return
      }
      const times = `checked in ${seconds(checked - began)}, built in ${seconds(built - checked)}`
      if (isFirst) {
        this.#console.err(
          `${times}; serves http://127.0.0.1:${this.#place.port}/ with ${include ?? 'no configuration of its own'}`,
        )
      } else this.#console.err(`${times}, reloaded in ${seconds(performance.now() - built)}`)
    } catch (error) {
      if (!(error instanceof ApxsFailure)) throw error
      for (const line of error.lines) this.#console.err(`apxs:Error: ${line}.`)
      if (error.hint !== undefined) this.#console.err(`hint: ${error.hint}`)
      this.#console.err(isFirst ? 'not started: waiting for a change' : 'not reloaded: the former version continues to serve')
    }
  }

  #check(): void {
    const diagnostics = this.#kit.pointDiagnostics(this.#checker.check(this.#sources))
    if (diagnostics.length === 0) return
    for (const diagnostic of diagnostics) this.#console.err(this.#kit.printPointed(diagnostic, process.cwd()))
    throw new CommandFailure(`${diagnostics.length} ${diagnostics.length === 1 ? 'mistake' : 'mistakes'} in the source`)
  }

  /** @returns the package's own configuration file, if it has one */
  async #build(): Promise<string | null> {
    const { root, folder, port } = this.#place
    const { entry, name } = mainSource(this.#kit, this.#sources.files)
    const file = join(root, `${name}.mjs`)
    let identifier: string
    try {
      const identity = await this.#kit.buildModule({ entry, outFile: file, packages: this.#sources.packages, sourceMap: true })
      identifier = identity.module
    } catch (error) {
      throw new CommandFailure(`cannot build ${name}.mjs: ${reasonOf(error)}`)
    }
    const include = configurationOf(folder, identifier)
    const site = join(folder, 'htdocs')
    const emptySite = join(root, 'htdocs')
    mkdirSync(emptySite, { recursive: true })
    const text = developmentConfiguration({
      root,
      modules: this.#installation.modules,
      port,
      file,
      identifier,
      site: statSync(site, { throwIfNoEntry: false })?.isDirectory() === true ? site : emptySite,
      include,
      types: join(this.#installation.configuration, 'mime.types'),
    })
    writeFileSync(join(root, 'httpd.conf'), text)
    return include === null ? null : basename(include)
  }
}

/** The configuration of a package: NAME.conf, or else its only file with this ending. */
function configurationOf(folder: string, identifier: string): string | null {
  const own = join(folder, `${identifier.replace(/_module$/, '')}.conf`)
  if (existsSync(own)) return own
  const all = globSync('*.conf', { cwd: folder })
  return all.length === 1 ? join(folder, all[0]) : null
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
