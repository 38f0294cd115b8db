import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { SIGNATURE_ENDING, signatureLine, signaturesOf, signingKeyText } from '@gatewright/core'
import { readModuleFile } from '@gatewright/module-kit/module-file'
import { placeFile } from '@gatewright/module-kit/place'
import type { ApxsConsole } from './console.ts'
import { ApxsFailure, reasonOf } from './failure.ts'

/** `apxs --new-key NAME`: the private key NAME.key, which only its owner can read, and the public key NAME.pub. */
export function makeKey(name: string, console: ApxsConsole): void {
  const files = [`${name}.key`, `${name}.pub`]
  const existing = files.find((file) => existsSync(file))
  if (existing !== undefined)
    throw new ApxsFailure(`${existing} already exists`, 'choose another name: what it has signed needs it')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const text = signingKeyText(publicKey)
  try {
    writeFileSync(files[0], privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' })
    writeFileSync(files[1], `${text}\n`, { flag: 'wx' })
  } catch (error) {
    throw new ApxsFailure(`cannot write the keys: ${reasonOf(error)}`, 'change to a folder in which you have write permission')
  }
  console.err(`${files[0]}: the private key; keep it off the server`)
  console.err(`${files[1]}: the public key, for the configuration of the server:`)
  console.out(`ModuleSignedBy ${text}`)
}

/** `apxs --sign KEY FILE ...`: signs built modules, each in FILE.sig; signatures of other keys stay if they are valid lines. */
export function signModules(keyFile: string, files: readonly string[], console: ApxsConsole): void {
  const key = privateKeyOf(keyFile)
  const text = signingKeyText(key)
  for (const file of files) {
    const bytes = bytesOf(file)
    const target = `${file}${SIGNATURE_ENDING}`
    const others = existsSync(target) ? signaturesOf(readFileSync(target, 'latin1')) : []
    if (typeof others === 'number')
      throw new ApxsFailure(`line ${others} of ${target} is not a signature`, 'remove the file, and sign the module again')
    const kept = others.filter(({ signer }) => signer.text !== text)
    const lines = kept.map(({ signer, signature }) => `${signer.text} ${signature.toString('base64')}\n`)
    try {
      placeFile(Buffer.from([...lines, signatureLine(bytes, key)].join('')), target)
    } catch (error) {
      throw new ApxsFailure(`cannot write ${target}: ${reasonOf(error)}`)
    }
    console.err(`${target}: signed by ${text}`)
  }
}

/** The content of a module's file that is complete: signing anything else is a mistake. */
function bytesOf(file: string): Buffer {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true
  if (!isFile || !readModuleFile(file).intact)
    throw new ApxsFailure(`${file} is not a built module`, 'build it with apxs -c; gatewright module shows what is wrong with it')
  return readFileSync(file)
}

function privateKeyOf(file: string): KeyObject {
  const hint = 'name the private key that apxs --new-key NAME has written to NAME.key: PEM, of ed25519, without a passphrase'
  let key: KeyObject
  try {
    key = createPrivateKey(readFileSync(file))
  } catch (error) {
    throw new ApxsFailure(`cannot use ${file} as a key: ${reasonOf(error)}`, hint)
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new ApxsFailure(`${file} is not a key of ed25519`, hint)
  return key
}
