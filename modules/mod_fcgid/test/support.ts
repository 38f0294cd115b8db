import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type FileTree, site } from '@gatewright/testing'
import type { Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import fcgid from '../src/index.ts'
import { PROGRAM } from './program.ts'

const LIMIT = 30_000

/** Why tests are skipped; false if they run. */
export const skip: string | false = spawnSync('perl', ['-v']).status === 0 ? false : 'needs perl'

export type Site = Awaited<ReturnType<typeof site>>

/** A server with a program in `docs/a.fcgi`, and a wrapper in `wrapper`. */
export async function programs(t: Test, lines = '', files: FileTree = {}): Promise<Site> {
  const config = [
    'LogLevel info',
    'TypesConfig /dev/null',
    'FcgidIPCDir @ROOT@/run',
    '<Directory @ROOT@/docs>',
    'Require all granted',
    'Options +ExecCGI',
    'AddHandler fcgid-script .fcgi .wrap',
    '</Directory>',
    lines,
  ]
  const server = await site({
    modules: [authzCore, authnCore, authBasic, authzUser, mime, fcgid],
    files: {
      'docs/a.fcgi': PROGRAM,
      'docs/b.fcgi': PROGRAM,
      'docs/x.wrap': 'text\n',
      wrapper: PROGRAM,
      'run/empty': '',
      ...files,
    },
    config: config.join('\n'),
  })
  for (const name of ['docs/a.fcgi', 'docs/b.fcgi', 'wrapper']) chmodSync(join(server.serverRoot, name), 0o755)
  t.teardown(async () => {
    await server.close()
    if (!(await until(() => programsOf(server).length === 0))) throw new Error('a program is left')
  })
  return server
}

/** Waits until a condition holds; false if it never does. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const limit = Date.now() + LIMIT; Date.now() < limit; await pause(20)) if (await condition()) return true
  return false
}

/** Waits for a line of the error log. */
export function logged(server: Site, pattern: RegExp): Promise<boolean> {
  return until(() => server.errors().some((line) => pattern.test(line)))
}

/** The processes whose program is a file of the server, or the manager of its folder. */
export function programsOf(server: Site): number[] {
  return execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\n')
    .filter((line) => line.includes(server.serverRoot) && /perl[\d.]* /.test(line))
    .map((line) => Number(/^\s*(\d+)/.exec(line)?.[1]))
}

/** The manager of a server. */
export function managerOf(server: Site): number | undefined {
  for (const name of readdirSync('/proc')) {
    const line = /^\d+$/.test(name) ? commandLine(name) : ''
    if (line.includes('managerProgram') && line.includes(`${server.serverRoot}/run/`)) return Number(name)
  }
  return undefined
}

function commandLine(name: string): string {
  const found = spawnSync('cat', [`/proc/${name}/cmdline`], { encoding: 'latin1', maxBuffer: 1024 * 1024 })
  return found.stdout
}

/** The descriptors of a process that are sockets. */
export function socketsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}

/** Whether a process is there, and not only its status. */
export function isAlive(pid: number): boolean {
  try {
    accessSync(`/proc/${pid}/exe`, constants.F_OK)
    return true
  } catch {
    return false
  }
}
