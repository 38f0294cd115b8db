import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RunningServer } from './running-server.ts'

/** What `give-back` needs: the server whose ports were taken. */
export type TakeOverRecord = Pick<RunningServer, 'executable' | 'words' | 'environment' | 'unit'>

/** The files of a take-over, beside the PidFile of the other server: after a restart of the machine, both are gone. */
export function takeOverFiles(pidFile: string): { readonly record: string; readonly pidFile: string } {
  return { record: join(dirname(pidFile), 'gatewright-take-over.json'), pidFile: join(dirname(pidFile), 'gatewright.pid') }
}

export function writeRecord(file: string, { executable, words, environment, unit }: TakeOverRecord): void {
  rmSync(file, { force: true })
  writeFileSync(file, `${JSON.stringify({ executable, words, environment, unit }, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
}

/**
 * A record names a program that will be started, so it counts only if nobody else can have written it.
 * @throws Error if there is none, or if it cannot be trusted
 */
export function readRecord(file: string): TakeOverRecord {
  const { uid, mode } = statSync(file)
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${file} belongs to another user, or others can write it`)
  const data: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isRecord(data)) throw new Error(`${file} is damaged`)
  return data
}

function isRecord(data: unknown): data is TakeOverRecord {
  return (
    typeof data === 'object' &&
    data !== null &&
    'executable' in data &&
    typeof data.executable === 'string' &&
    'words' in data &&
    Array.isArray(data.words) &&
    data.words.every((word) => typeof word === 'string') &&
    'environment' in data &&
    typeof data.environment === 'object' &&
    data.environment !== null &&
    Object.values(data.environment).every((value) => typeof value === 'string') &&
    'unit' in data &&
    (data.unit === null || typeof data.unit === 'string')
  )
}
