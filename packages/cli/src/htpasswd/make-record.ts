import { type HashOptions, hashPassword } from '@gatewright/passwd'
import { Refusal } from '../password/refusal.ts'
import type { ToolConsole } from '../tool-console.ts'
import { TOO_LONG, WRONG_PASSWORD } from './exit-status.ts'
import type { HtpasswdOptions } from './options.ts'

/** The user's line without its end. @throws Refusal */
export function makeRecord(options: HtpasswdOptions, password: string, console: ToolConsole): string {
  const record = `${options.user}:${stored(options, password, console)}`
  if (record.length >= RECORD_LIMIT) throw new Refusal('htpasswd: resultant record too long\n', TOO_LONG)
  return record
}

const RECORD_LIMIT = 255
const CRYPT_LENGTH = 8

/** httpd's tools reject costs with which a server needs seconds for a verification. */
const BCRYPT_COST_MAX = 17

function stored(options: HtpasswdOptions, password: string, console: ToolConsole): string {
  const { storage, strength } = options
  switch (storage) {
    case 'plain':
      ignoreStrength(strength, console)
      return password
    case 'bcrypt':
      if (strength !== undefined && strength > BCRYPT_COST_MAX) throw refused('bcrypt', 'choose a cost from 4 to 17')
      return hashed('bcrypt', { cost: strength }, password, 'choose a cost from 4 to 17')
    case 'sha256':
    case 'sha512':
      return hashed(storage, { rounds: strength }, password, 'choose a number of rounds from 1000 to 999999999')
    case 'crypt':
      ignoreStrength(strength, console)
      if (password.length > CRYPT_LENGTH)
        console.err(`Warning: Password truncated to ${CRYPT_LENGTH} characters by CRYPT algorithm.\n`)
      return hashPassword('crypt', bytes(password))
    case 'apr1':
    case 'sha':
      ignoreStrength(strength, console)
      return hashPassword(storage, bytes(password))
  }
}

function hashed(scheme: 'bcrypt' | 'sha256' | 'sha512', options: HashOptions, password: string, hint: string): string {
  try {
    return hashPassword(scheme, bytes(password), options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw refused(scheme === 'bcrypt' ? 'bcrypt' : 'crypt', hint)
  }
}

function refused(what: string, hint: string): Refusal {
  return new Refusal(`htpasswd: Unable to encode with ${what}: Invalid argument\n`, WRONG_PASSWORD, hint)
}

function ignoreStrength(strength: number | undefined, console: ToolConsole): void {
  if (strength !== undefined) console.err('Warning: Ignoring -C/-r argument for this algorithm.\n')
}

function bytes(password: string): Buffer {
  return Buffer.from(password, 'latin1')
}
