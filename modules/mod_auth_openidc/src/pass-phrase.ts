import { spawnSync } from 'node:child_process'
import { createHmac, hkdfSync } from 'node:crypto'
import type { Command } from '@gatewright/api'

/** How long a program may take, in milliseconds. */
const PATIENCE = 20_000
const KEY_LENGTH = 32

/** OIDCCryptoPassphrase: the secret from which all keys of the module are derived. */
export class Passphrase {
  readonly #secret: Buffer
  readonly length: number
  readonly #keys = new Map<string, Buffer>()

  constructor(text: string) {
    this.#secret = Buffer.from(text, 'latin1')
    this.length = this.#secret.length
  }

  /** A key for one purpose, from which neither the passphrase nor another key can be computed. */
  key(purpose: string): Buffer {
    const known = this.#keys.get(purpose)
    if (known !== undefined) return known
    const key = Buffer.from(hkdfSync('sha256', this.#secret, 'mod_auth_openidc', purpose, KEY_LENGTH))
    this.#keys.set(purpose, key)
    return key
  }

  /** A secret for one client of one provider: what is made with it is of no use to another. */
  within(context: string): Passphrase {
    return new Passphrase(this.key(`context ${context}`).toString('latin1'))
  }

  /** A key for one value of a purpose. */
  keyFor(purpose: string, value: string): Buffer {
    return createHmac('sha256', this.key(purpose)).update(value).digest()
  }
}

/**
 * The argument of OIDCCryptoPassphrase and OIDCClientSecret: a secret, or after `exec:` a command that prints it on its first
 * line. It runs while the configuration is read.
 */
export function readSecret(text: string, command: Command): { readonly secret: string } | string {
  if (!text.startsWith('exec:') || text.length === 'exec:'.length) {
    return text === '' ? `${command.name} must not be empty` : { secret: text }
  }
  const [program, ...words] = command.words(text.slice('exec:'.length))
  if (program === undefined || program === '') return `${command.name}: no program after exec:`
  const path = command.serverRelative(program)
  const { stdout, error, status } = spawnSync(native(path), words.map(native), {
    encoding: 'latin1',
    timeout: PATIENCE,
    maxBuffer: 64 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const secret = error === undefined && status === 0 ? (stdout.split('\n', 1)[0] ?? '').trimEnd() : ''
  return secret === '' ? `${command.name}: ${path} must print the secret on its first line and end with status 0` : { secret }
}

/** Text of the configuration has one character for each byte. */
function native(text: string): string {
  return Buffer.from(text, 'latin1').toString()
}
