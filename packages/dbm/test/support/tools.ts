import { spawnSync } from 'node:child_process'
import { delimiter } from 'node:path'

/** Administrators' programs are not in every user's search path. */
const env = { ...process.env, PATH: [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter) }

/** Runs one of httpd's own tools. They write to standard error whatever it is; output is latin1. */
export function run(program: string, args: readonly string[]): { status: number | null; output: string } {
  const result = spawnSync(program, args, { env, encoding: 'latin1', timeout: 300_000 })
  return { status: result.status, output: `${result.stdout ?? ''}${result.stderr ?? ''}` }
}

/** What to give as `skip` to a test that needs the real tools. */
export function missingTools(): string | false {
  const missing = ['htdbm', 'httxt2dbm'].filter((program) => run(program, []).status === null)
  return missing.length === 0 ? false : `${missing.join(' and ')} not installed`
}

/** The same for one program. */
export function missingProgram(program: string): string | false {
  return run(program, ['--version']).status === null ? `${program} not installed` : false
}
