import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import type { Session } from '@gatewright/api/peers'
import { CIPHERS, type SessionCipher, STANDARD_CIPHER } from './ciphers.ts'
import type { CryptoConfig, CryptoServerConfig } from './config.ts'
import { open, type Refusal, seal } from './sealed-text.ts'
import { SessionKeys } from './session-keys.ts'

/** Encrypts what stores keep of sessions. */
export class Sealing {
  readonly #host: ModuleHost<CryptoConfig, CryptoServerConfig>
  readonly #keys = new SessionKeys()

  constructor(host: ModuleHost<CryptoConfig, CryptoServerConfig>) {
    this.#host = host
  }

  encode(request: Request, session: Session): MaybePromise<Outcome> {
    const { passphrases } = this.#host.configOf(request)
    const { encoded } = session
    if (passphrases === undefined || encoded === null || encoded === '') return DECLINED
    const [passphrase = null] = passphrases
    const cipher = this.#cipherOf(request)
    if (cipher === null) return this.#notEncrypted(request)
    if (passphrase === null) {
      this.#host.log.write(
        request,
        'error',
        '',
        'SessionCryptoPassphrase: the program gave no passphrase, so sessions are not saved',
      )
      return this.#notEncrypted(request)
    }
    const sealed = seal(encoded, passphrase, cipher, this.#keys)
    const keep = (text: string): Outcome => {
      session.encoded = text
      return OK
    }
    if (typeof sealed === 'string') return keep(sealed)
    return sealed.then(keep, (error: unknown) => {
      this.#host.log.write(request, 'error', 'AH01825', 'failure generating key from passphrase', errorOf(error))
      return this.#notEncrypted(request)
    })
  }

  decode(request: Request, session: Session): MaybePromise<Outcome> {
    const { passphrases } = this.#host.configOf(request)
    const { encoded } = session
    if (passphrases === undefined || encoded === null || encoded === '') return DECLINED
    const cipher = this.#cipherOf(request)
    if (cipher === null) return this.#notDecrypted(request)
    const known = passphrases.filter((passphrase) => passphrase !== null)
    const take = (opened: { readonly text: string } | Refusal): Outcome => {
      if (typeof opened === 'string') return this.#refused(request, opened)
      session.encoded = opened.text
      return OK
    }
    const opened = open(encoded, known, cipher, this.#keys)
    return opened instanceof Promise ? opened.then(take) : take(opened)
  }

  #cipherOf(request: Request): SessionCipher | null {
    const { cipher: name = STANDARD_CIPHER } = this.#host.configOf(request)
    const cipher = CIPHERS.get(name)
    if (cipher !== undefined) return cipher
    const what = `cipher '${name}' not recognised by crypto driver. session encryption not possible`
    this.#host.log.write(request, 'error', 'AH01824', `${what}, options: ${[...CIPHERS.keys()].join(', ')}`)
    return null
  }

  #notEncrypted(request: Request): Outcome {
    this.#host.log.write(request, 'debug', 'AH01841', 'encrypt session failed')
    return HTTP_INTERNAL_SERVER_ERROR
  }

  #refused(request: Request, refusal: Refusal): Outcome {
    const { log } = this.#host
    if (refusal === 'too-short') log.write(request, 'debug', 'AH10005', 'too short to decrypt, aborting')
    else {
      if (refusal === 'damaged') log.write(request, 'debug', 'AH01839', 'apr_crypto_block_decrypt_finish failed')
      else log.write(request, 'debug', 'AH10006', 'auth does not match, skipping')
      log.write(request, 'info', 'AH01840', 'decryption failed')
    }
    return this.#notDecrypted(request)
  }

  #notDecrypted(request: Request): Outcome {
    this.#host.log.write(request, 'error', 'AH01842', 'decrypt session failed, wrong passphrase?')
    return HTTP_INTERNAL_SERVER_ERROR
  }
}

function errorOf(error: unknown): Error | undefined {
  return error instanceof Error ? error : undefined
}
