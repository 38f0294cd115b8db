import { type KeyObject, X509Certificate } from 'node:crypto'
import { isMalformed, namesServer, parseCertificate } from '@gatewright/x509'
import type { PassPhraseDialog } from '../settings.ts'
import { readKey } from './key-files.ts'
import { askPassPhrase, type DialogPlace } from './pass-phrases.ts'
import { certificatesIn } from './pem.ts'
import type { RetainedKeys } from './retained-keys.ts'
import { isOutOfReach, standInFor } from './stand-in.ts'
import type { StartFiles } from './start-files.ts'
import type { StartLog } from './start-log.ts'

/** A certificate and its key, as tls.createSecureContext takes them. */
export interface CertificatePair {
  /** PEM: the server's certificate, then those of its issuers that are sent along. */
  readonly certificate: string
  /** PEM, without pass phrase. */
  readonly key: string
  /** The server's certificate. */
  readonly parsed: X509Certificate
  /** Its file. */
  readonly file: string
  /** True for a tool that cannot have the key: `certificate` and `key` are others. */
  readonly isStandIn: boolean
  /** `NAME:PORT:INDEX`. */
  readonly id: string
}

/** Where pairs are read from. */
export interface PairFiles {
  readonly files: StartFiles
  /** `NAME:PORT`. */
  readonly id: string
  readonly serverName: string
  readonly certificateFiles: readonly string[]
  readonly keyFiles: readonly string[]
  readonly chainFile: string | undefined
  readonly dialog: PassPhraseDialog
  readonly memory: KeyMemory
  /** True where nothing is served. */
  readonly isTool: boolean
}

/** What is known of protected keys. */
export interface KeyMemory {
  /** Pass phrases that opened keys before, which are tried first. */
  readonly passPhrases: string[]
  /** Keys that were opened by a former process or for a former configuration. */
  readonly keys: RetainedKeys
  readonly dialog: DialogPlace
}

/** Reads the certificates and keys of a server, and logs what is wrong with them as httpd does. */
export async function readPairs(pairs: PairFiles, log: StartLog): Promise<readonly CertificatePair[]> {
  const chain = chainOf(pairs, log)
  const read: CertificatePair[] = []
  for (const [index, file] of pairs.certificateFiles.entries()) read.push(await readPair(pairs, { index, file, chain }, log))
  return read
}

/** A certificate file of a server. */
interface PairPlace {
  readonly index: number
  readonly file: string
  /** SSLCertificateChainFile; undefined without it. */
  readonly chain: readonly string[] | undefined
}

async function readPair(pairs: PairFiles, { index, file, chain }: PairPlace, log: StartLog): Promise<CertificatePair> {
  const id = `${pairs.id}:${index}`
  if (file.startsWith('pkcs11:')) refuseDevice(file, log)
  const certificates = certificatesIn(pairs.files.text(file))
  const parsed = certificates.length === 0 ? undefined : parse(certificates[0])
  if (parsed === undefined || parsed instanceof Error) {
    const library = parsed ?? new Error('error:0480006C:PEM routines::no start line (Expecting: CERTIFICATE)')
    if (chain !== undefined) log.refuse('AH02561', `Failed to configure certificate ${id}, check ${file}`, library)
    log.refuse('AH02562', `Failed to configure certificate ${id} (with chain), check ${file}`, library)
  }
  const unreadable = chain === undefined ? certificates.slice(1).map(parse).find(isError) : undefined
  if (unreadable !== undefined) {
    log.refuse('AH02562', `Failed to configure certificate ${id} (with chain), check ${file}`, unreadable)
  }
  const keyFile = pairs.keyFiles[index] ?? file
  if (keyFile.startsWith('pkcs11:')) refuseDevice(keyFile, log)
  const common = { parsed, file, id }
  if (pairs.isTool && isOutOfReach(keyFile, pairs.files)) return { ...standInFor(parsed), ...common, isStandIn: true }
  const key = await openKey(pairs, { id, index, file: keyFile }, log)
  if (!parsed.checkPrivateKey(key)) {
    log.refuse('AH02565', `Certificate and private key ${id} from ${file} and ${keyFile} do not match`)
  }
  warnAbout(parsed, id, pairs.serverName, log)
  log.write('info', 'AH02568', `Certificate and private key ${id} configured from ${file} and ${keyFile}`)
  return {
    certificate: [certificates[0], ...(chain ?? certificates.slice(1))].join(''),
    key: String(key.export({ type: 'pkcs8', format: 'pem' })),
    ...common,
    isStandIn: false,
  }
}

/** Of several pairs with keys of a kind, OpenSSL presents the last one. */
export function lastOfEachKind(pairs: readonly CertificatePair[]): readonly CertificatePair[] {
  const kindOf = ({ parsed }: CertificatePair): string | undefined => parsed.publicKey.asymmetricKeyType
  return pairs.filter((pair, index) => !pairs.slice(index + 1).some((later) => kindOf(later) === kindOf(pair)))
}

/** SSLCertificateChainFile; its first certificate is left out where it is the server's own file. */
function chainOf({ files, chainFile, certificateFiles }: PairFiles, log: StartLog): readonly string[] | undefined {
  if (chainFile === undefined) return undefined
  const certificates = certificatesIn(files.text(chainFile))
  const isOwn = certificateFiles.includes(chainFile)
  if ((isOwn && certificates.length === 0) || certificates.some((one) => parse(one) instanceof Error)) {
    log.die('AH01903', 'Failed to configure CA certificate chain!')
  }
  return isOwn ? certificates.slice(1) : certificates
}

function refuseDevice(name: string, log: StartLog): never {
  log.die('', `${name}: this server cannot use keys of devices; export certificate and key to files`)
}

function parse(pem: string): X509Certificate | Error {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const NO_KEY = 'Init: Private key not found'
const NO_TERMINAL =
  'SSLPassPhraseDialog builtin: the command that started this server has returned, so nobody can be asked; stop the server and start it again, or use exec: with a program that prints the pass phrase'

function isError(parsed: X509Certificate | Error): parsed is Error {
  return parsed instanceof Error
}

interface KeyPlace {
  readonly id: string
  readonly index: number
  readonly file: string
}

async function openKey(pairs: PairFiles, { id, index, file }: KeyPlace, log: StartLog): Promise<KeyObject> {
  const { files, memory } = pairs
  const read = readKey(file, files)
  if (read.kind === 'key') return read.key
  if (read.kind === 'encrypted') {
    const known = memory.keys.get(id, file)
    if (known !== undefined) {
      log.write('info', 'AH02575', `Reusing existing private key from ${file} on restart`)
      return known
    }
  }
  log.write('info', 'AH02576', `Attempting to load encrypted (?) private key ${id}`)
  if (read.kind === 'encrypted') {
    for (const passPhrase of memory.passPhrases) {
      const key = read.open(passPhrase)
      if (key !== undefined) return memory.keys.keep(id, file, key)
    }
    const question = { server: pairs.id, index, file }
    const outcome = await askPassPhrase(pairs.dialog, question, (phrase) => read.open(phrase), memory.dialog, log)
    if (outcome.kind === 'opened') {
      memory.passPhrases.push(outcome.passPhrase)
      return memory.keys.keep(id, file, outcome.key)
    }
    if (outcome.kind === 'incorrect') log.write('emerg', 'AH02580', `Init: Pass phrase incorrect for key ${id}`)
    // As in httpd, which has another message when a question before was answered.
    else if (memory.dialog.hasAnswer) log.write('error', 'AH02579', NO_KEY)
    else {
      if (pairs.dialog.kind === 'builtin' && memory.dialog.start.terminal === null) log.write('error', '', NO_TERMINAL)
      log.write('error', 'AH02578', 'Init: Unable to read pass phrase [Hint: key introduced or changed before restart?]')
    }
  } else log.write('error', 'AH02579', NO_KEY)
  log.closingLine()
  return log.refuse('AH02564', `Failed to configure encrypted (?) private key ${id}, check ${file}`)
}

function warnAbout(certificate: X509Certificate, id: string, serverName: string, log: StartLog): void {
  if (certificate.ca) {
    log.write('warn', 'AH01906', `${id} server certificate is a CA certificate (BasicConstraints: CA == TRUE !?)`)
  }
  const readable = parseCertificate(certificate.raw)
  const isNamed = !isMalformed(readable) && namesServer(readable, serverName)
  if (!isNamed) {
    log.write('warn', 'AH01909', `${id} server certificate does NOT include an ID which matches the server name`)
  }
}
