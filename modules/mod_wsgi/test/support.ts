import { accessSync, constants } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type FileTree, site } from '@gatewright/testing'
import type { Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import env from '../../mod_env/src/index.ts'
import wsgi from '../src/index.ts'
import { findPython } from '../src/python.ts'
import { APPLICATION_LINES, APPLICATIONS } from './applications.ts'

const LIMIT = 30_000

/** Why tests with applications are skipped; false if they run. */
export const skip: string | false = findPython(null) === null ? 'needs python3' : false

export type Site = Awaited<ReturnType<typeof site>>

/** A server with the applications of `applications.ts`. */
export async function applications(t: Test, more = '', files: FileTree = {}): Promise<Site> {
  const server = await site({
    modules: [authzCore, env, wsgi],
    files: { ...APPLICATIONS, ...files },
    config: APPLICATION_LINES + more,
  })
  t.teardown(() => server.close())
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

/** Whether a process is there, and not only its status. */
export function isAlive(pid: number): boolean {
  try {
    accessSync(`/proc/${pid}/exe`, constants.F_OK)
    return true
  } catch {
    return false
  }
}
