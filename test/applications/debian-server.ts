import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemUser } from './account.ts'
import type { RelocatedTree } from './relocated-tree.ts'

/** The socket of Debian's PHP-FPM. */
export const PHP_SOCKET = '/run/php/php8.2-fpm.sock'
/** Folders that every tree contains. */
export const SERVER_FOLDERS: readonly string[] = [
  '/etc/apache2',
  '/run/php',
  '/run/apache2',
  '/var/log/apache2',
  '/var/lib/php/sessions',
]

/** The modules that the package apache2 enables; others belong to packages that are not of interest here. */
const STOCK_MODULES: ReadonlySet<string> = new Set(
  (
    'access_compat alias auth_basic authn_core authn_file authz_core authz_host authz_user autoindex deflate dir env filter mime ' +
    'mpm_event negotiation reqtimeout setenvif status'
  ).split(' '),
)

/** What Debian enables; what other packages on this machine have enabled is left out. */
const STOCK_CONF: ReadonlySet<string> = new Set(
  ['charset', 'localized-error-pages', 'other-vhosts-access-log', 'security', 'serve-cgi-bin'].map((name) => `${name}.conf`),
)

/** What runs the applications: PHP-FPM, and a server with Debian's configuration. */
export class DebianServer {
  readonly #tree: RelocatedTree
  readonly #children: ChildProcess[] = []

  constructor(tree: RelocatedTree) {
    this.#tree = tree
    const enabled = tree.path('/etc/apache2/conf-enabled')
    for (const name of readdirSync(enabled)) if (!STOCK_CONF.has(name)) rmSync(join(enabled, name))
    const modules = tree.path('/etc/apache2/mods-enabled')
    for (const name of readdirSync(modules)) if (!STOCK_MODULES.has(name.replace(/\.\w+$/, ''))) rmSync(join(modules, name))
    tree.change('/etc/apache2/apache2.conf', '<Directory /usr/share>', `<Directory ${tree.path('/usr/share')}>`)
    tree.change('/etc/apache2/apache2.conf', /^/, 'ServerName localhost\n')
    rmSync(tree.path('/run'), { recursive: true, force: true })
    for (const folder of ['/run/php', '/run/apache2']) mkdirSync(tree.path(folder), { recursive: true })
  }

  /** As a2enmod. */
  enableModules(...names: readonly string[]): void {
    for (const name of names) {
      for (const end of ['load', 'conf']) {
        const file = this.#tree.path(`/etc/apache2/mods-available/${name}.${end}`)
        if (existsSync(file)) copyFileSync(file, this.#tree.path(`/etc/apache2/mods-enabled/${name}.${end}`))
      }
    }
  }

  /** As a2enconf. */
  enableConf(name: string, from = `/etc/apache2/conf-available/${name}.conf`): void {
    copyFileSync(this.#tree.path(from), this.#tree.path(`/etc/apache2/conf-enabled/${name}.conf`))
  }

  listenOn(port: number): void {
    this.#tree.change('/etc/apache2/ports.conf', /^Listen 80$/m, `Listen 127.0.0.1:${port}`)
    this.#tree.change('/etc/apache2/sites-available/000-default.conf', '<VirtualHost *:80>', `<VirtualHost *:${port}>`)
  }

  async startPhp(): Promise<void> {
    const tree = this.#tree
    const { name, group } = systemUser()
    const file = tree.path('/run/php/php-fpm.conf')
    const account = process.geteuid?.() === 0 ? [`user = ${name}`, `group = ${group}`] : []
    tree.giveTo('/var/lib/php/sessions', systemUser())
    tree.write(
      '/run/php/php-fpm.conf',
      [
        '[global]',
        `error_log = ${tree.path('/run/php/fpm.log')}`,
        'daemonize = no',
        '[www]',
        ...account,
        `listen = ${tree.path(PHP_SOCKET)}`,
        'listen.mode = 0666',
        'pm = static',
        'pm.max_children = 4',
        `php_admin_value[session.save_path] = ${tree.path('/var/lib/php/sessions')}`,
        '',
      ].join('\n'),
    )
    this.#start('/usr/sbin/php-fpm8.2', ['-F', '-y', file])
    await this.#until(() => accepts({ path: tree.path(PHP_SOCKET) }), '/run/php/fpm.log')
  }

  /** @param program of httpd or of this server */
  async start(program: string, port: number): Promise<void> {
    const { name, group } = systemUser()
    const etc = this.#tree.path('/etc/apache2')
    const variables = {
      APACHE_RUN_USER: name,
      APACHE_RUN_GROUP: group,
      APACHE_PID_FILE: this.#tree.path('/run/apache2/apache2.pid'),
      APACHE_RUN_DIR: this.#tree.path('/run/apache2'),
      APACHE_LOCK_DIR: this.#tree.path('/run/apache2'),
      APACHE_LOG_DIR: this.#tree.path('/var/log/apache2'),
    }
    this.#start(program, ['-d', etc, '-f', 'apache2.conf', '-D', 'FOREGROUND'], variables)
    await this.#until(() => accepts({ port, host: '127.0.0.1' }), '/var/log/apache2/error.log')
  }

  /** Ends what was started last first. */
  async stop(): Promise<void> {
    for (const child of this.#children.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
  }

  #start(program: string, words: readonly string[], variables: NodeJS.ProcessEnv = {}): void {
    const child = spawn(program, words, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, LANG: 'C', ...variables },
    })
    this.#children.push(child)
  }

  async #until(condition: () => Promise<boolean>, log: string): Promise<void> {
    const child = this.#children.at(-1)
    while (child?.exitCode === null) {
      if (await condition()) return
      await pause(30)
    }
    const file = this.#tree.path(log)
    throw new Error(`${child?.spawnfile} has ended: ${existsSync(file) ? readFileSync(file, 'utf8').slice(-2000) : ''}`)
  }
}

function accepts(where: { readonly path: string } | { readonly port: number; readonly host: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(where, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
