import { DbmError, type DbmReader, type DbmWriter, openDbm, openDbmWriter } from '@gatewright/dbm'
import { verifyPassword } from '@gatewright/passwd'
import { Refusal } from '../password/refusal.ts'
import type { HtdbmOptions } from './options.ts'
import { readRecord } from './record.ts'
import { HTDBM_STATUS } from './status.ts'

/** Creates the database if requested; otherwise fails if the command could not use it. */
export function checkDatabase(path: string, { type, create, command }: HtdbmOptions): void {
  if (create) changed(path, type, 'create', () => undefined)
  else if (command === 'verify') read(path, type, () => undefined)
  else opening(path, () => openDbmWriter(path, type, 'existing')).abandon()
}

/** All users with their comments, in the order of the file. */
export function listing(path: string, options: HtdbmOptions): string {
  if (options.create) checkDatabase(path, options)
  const users = read(path, options.type, (reader) => Array.from(reader.entries(), userLine))
  if (users.length === 0) return `Empty database -- ${path}\n`
  const title = `    ${'Username'.padEnd(USER_COLUMN)} Comment\n`
  return `Dumping records from database -- ${path}\n${title}${users.join('')}Total #records : ${users.length}\n`
}

/** @throws Refusal unless the user exists and has this password */
export function verifyUser(path: string, { type, user }: HtdbmOptions, password: string): void {
  const value = read(path, type, (reader) => {
    const found = reader.get(Buffer.from(user, 'latin1'))
    // Damage may hide the user.
    if (found === undefined && reader.damage !== undefined) throw reader.damage
    return found
  })
  if (value === undefined) throw new Refusal(`The user '${user}' could not be found in database\n`, HTDBM_STATUS.badUser)
  if (verifyPassword(readRecord(value).password, Buffer.from(password, 'latin1'))) return
  throw new Refusal(`Password mismatch for user '${user}'\n`, HTDBM_STATUS.mismatch)
}

/** @throws Refusal unless the user exists */
export function removeUser(path: string, { type, user }: HtdbmOptions): void {
  changed(path, type, 'existing', (writer) => {
    if (writer.delete(Buffer.from(user, 'latin1'))) return
    throw new Refusal(`Cannot find user '${user}' in database\n`, HTDBM_STATUS.badUser)
  })
}

/** @returns `modified` if the user existed already */
export function storeUser(path: string, { type, user }: HtdbmOptions, text: string): 'updated' | 'modified' {
  return changed(path, type, 'existing', (writer) => {
    const key = Buffer.from(user, 'latin1')
    const isNew = writer.get(key) === undefined
    writer.replace(key, Buffer.from(text, 'latin1'))
    return isNew ? 'updated' : 'modified'
  })
}

const USER_COLUMN = 32

function userLine([key, value]: readonly [Buffer, Buffer]): string {
  const { comment } = readRecord(value)
  return `    ${key.toString('latin1').padEnd(USER_COLUMN)}${comment === null ? '' : ` ${comment}`}\n`
}

function read<T>(path: string, type: string, use: (reader: DbmReader) => T): T {
  const reader = opening(path, () => openDbm(path, type))
  try {
    return failing('Error reading', path, () => use(reader))
  } finally {
    reader.close()
  }
}

/** Changes a database. If `change` throws, the database is unchanged. */
function changed<T>(path: string, type: string, mode: 'existing' | 'create', change: (writer: DbmWriter) => T): T {
  const writer = opening(path, () => openDbmWriter(path, type, mode))
  try {
    return failing('Error changing', path, () => {
      const result = change(writer)
      writer.close()
      return result
    })
  } finally {
    writer.abandon()
  }
}

function opening<T>(path: string, open: () => T): T {
  return failing('Error opening', path, open)
}

/** httpd's htdbm prints nothing if it fails after opening. */
function failing<T>(what: string, path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof DbmError)) throw error
    throw new Refusal(`${what} database ${path}\n${error.text}\n`, HTDBM_STATUS.file, error.message)
  }
}
