import { constants } from 'node:crypto'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { nodeCiphers } from '../cipher-list.ts'
import { ALL_PROTOCOLS, readProtocols, versionRange } from '../protocol-versions.ts'
import type { ConfCommand } from '../settings.ts'
import type { StartFiles } from './start-files.ts'

/** The options that are being put together; `ciphers` comes of two lists. */
export interface ContextDraft {
  options: SecureContextOptions
  cipherList: string | undefined
  cipherSuites: string | undefined
}

/** Applies a line of SSLOpenSSLConfCmd. @returns why it is refused, undefined when it is not */
export function applyCommand(draft: ContextDraft, { name, value }: ConfCommand, files: StartFiles): Error | undefined {
  const { options } = draft
  switch (name.toLowerCase()) {
    case 'curves':
    case 'groups':
    case 'ecdhparameters':
      options.ecdhCurve = /^(?:auto|automatic)$/i.test(value) ? 'auto' : value
      return refusal({ ecdhCurve: options.ecdhCurve })
    case 'signaturealgorithms':
      options.sigalgs = value
      return refusal({ sigalgs: value })
    case 'cipherstring':
      draft.cipherList = `${value}:!aNULL:!eNULL:!EXP`
      return refusal({ ciphers: nodeCiphers(draft.cipherList, undefined) })
    case 'ciphersuites':
      draft.cipherSuites = value
      return refusal({ ciphers: nodeCiphers(undefined, value) })
    case 'dhparameters':
      options.dhparam = files.text(value)
      return refusal({ dhparam: options.dhparam })
    case 'minprotocol':
      return setVersion(value, (version) => void (options.minVersion = version))
    case 'maxprotocol':
      return setVersion(value, (version) => void (options.maxVersion = version))
    case 'protocol':
      return setProtocols(options, value)
    case 'options':
      return setOptions(options, value)
  }
  return new Error(`unknown command ${name}`)
}

function refusal(options: SecureContextOptions): Error | undefined {
  try {
    createSecureContext(options)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const VERSIONS = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const

function setVersion(value: string, set: (version: (typeof VERSIONS)[number]) => void): Error | undefined {
  if (value === 'None') return undefined
  const version = VERSIONS.find((one) => one === value)
  if (version === undefined) return new Error(`unknown protocol version ${value}`)
  set(version)
  return undefined
}

/** A list with commas, from all versions on: `-TLSv1,-TLSv1.1`. */
function setProtocols(options: SecureContextOptions, value: string): Error | undefined {
  let protocols = ALL_PROTOCOLS
  for (const word of value.split(',')) {
    const isOff = word.startsWith('-')
    const line = readProtocols('Protocol', [word.replace(/^[-+]/, '')])
    if ('error' in line) {
      if (isOff) continue
      return new Error(line.error)
    }
    protocols = isOff ? protocols & ~line.protocols : protocols | line.protocols
  }
  const range = versionRange(protocols)
  if (range === undefined) return new Error('no protocols available')
  options.minVersion = range.min
  options.maxVersion = range.max
  return undefined
}

/** Values of the command Options: their bits, and whether a minus sets or clears them. */
const FLAGS: Readonly<Record<string, { readonly bits: number; readonly inverse?: true }>> = {
  sessionticket: { bits: constants.SSL_OP_NO_TICKET, inverse: true },
  emptyfragments: { bits: constants.SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS, inverse: true },
  bugs: { bits: constants.SSL_OP_ALL },
  compression: { bits: constants.SSL_OP_NO_COMPRESSION, inverse: true },
  serverpreference: { bits: constants.SSL_OP_CIPHER_SERVER_PREFERENCE },
  noresumptiononrenegotiation: { bits: constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION },
  dhsingle: { bits: 0 },
  ecdhsingle: { bits: 0 },
  unsafelegacyrenegotiation: { bits: constants.SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION },
  unsafelegacyserverconnect: { bits: constants.SSL_OP_LEGACY_SERVER_CONNECT },
  encryptthenmac: { bits: constants.SSL_OP_NO_ENCRYPT_THEN_MAC, inverse: true },
  norenegotiation: { bits: constants.SSL_OP_NO_RENEGOTIATION },
  allownodhekex: { bits: constants.SSL_OP_ALLOW_NO_DHE_KEX },
  prioritizechacha: { bits: constants.SSL_OP_PRIORITIZE_CHACHA },
}

function setOptions(options: SecureContextOptions, value: string): Error | undefined {
  let bits = options.secureOptions ?? 0
  for (const word of value.split(',')) {
    const name = word.replace(/^[-+]/, '').toLowerCase()
    const flag = Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined
    if (flag === undefined) return new Error(`unknown option ${word}`)
    const sets = (flag.inverse === true) === word.startsWith('-')
    bits = sets ? bits | flag.bits : bits & ~flag.bits
  }
  options.secureOptions = bits
  return undefined
}
