import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { API_VERSION } from '@gatewright/api'
import { formatStamp } from '@gatewright/api/stamp'
import { ConfigError, createServer, keysOfText, signatureLine, signingKey, signingKeyText } from '@gatewright/core'
import t, { type Test } from 'tap'
import { importBytes } from '../src/modules/import-bytes.ts'

const [OURS, THEIRS] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
const [OUR_TEXT, THEIR_TEXT] = [OURS, THEIRS].map(({ publicKey }) => signingKeyText(publicKey))

function moduleText(name: string): Buffer {
  const rest = `globalThis.${name}_ran = true\nexport default Object.freeze({ name: '${name}_module', source: 'mod_${name}.c', [Symbol.for('gatewright.module')]: true })\n`
  const digest = createHash('sha256').update(rest).digest('hex')
  const names = { module: `${name}_module`, source: `mod_${name}.c` }
  return Buffer.from(formatStamp({ cookie: 'AP24', api: API_VERSION, magic: 20120211, ...names, digest }) + rest)
}

/** A server root with one module, and the first line of the error of a configuration that loads it. */
class Trial {
  readonly root: string
  readonly file: string
  readonly #name: string

  constructor(t: Test, name: string) {
    this.root = t.testdir()
    this.#name = name
    for (const folder of ['modules', 'conf', 'logs', 'docs']) mkdirSync(join(this.root, folder))
    this.file = join(this.root, `modules/mod_${name}.mjs`)
    writeFileSync(this.file, moduleText(name))
  }

  sign(key: KeyObject, bytes: Buffer = readFileSync(this.file)): void {
    writeFileSync(`${this.file}.sig`, signatureLine(bytes, key))
  }

  async load(t: Test, before: string, after = ''): Promise<string> {
    const config = `DocumentRoot docs\n${before}\nLoadModule ${this.#name}_module modules/mod_${this.#name}.mjs\n${after}`
    try {
      const server = await createServer({ config, serverRoot: this.root })
      t.teardown(() => server.close())
      return 'loaded'
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return `line ${error.line} of ${basename(error.file)}: ${error.message}`
    }
  }

  ran(): boolean {
    return `${this.#name}_ran` in globalThis
  }
}

t.test('a module that a listed key has signed is loaded', async (t) => {
  const trial = new Trial(t, 'signed')
  trial.sign(OURS.privateKey)
  t.equal(await trial.load(t, `ModuleSignedBy ${THEIR_TEXT} ${OUR_TEXT}`), 'loaded')
  t.ok(trial.ran())
})

t.test('without ModuleSignedBy no signature is needed', async (t) => {
  t.equal(await new Trial(t, 'free').load(t, ''), 'loaded')
})

t.test('any other module is refused with file and line before it is executed', async (t) => {
  const kinds: readonly (readonly [string, (trial: Trial) => void, RegExp])[] = [
    ['unsigned', () => undefined, /it is not signed, and ModuleSignedBy is in force/],
    ['stranger', (trial) => trial.sign(THEIRS.privateKey), /no key of ModuleSignedBy has signed it/],
    [
      'changed',
      (trial) => {
        trial.sign(OURS.privateKey)
        // A digest of its own: the gate alone would accept it.
        const rest = readFileSync(trial.file, 'utf8').split('\n').slice(1).join('\n').replace('true', '42')
        const stamp = readFileSync(trial.file, 'utf8').split('\n')[0]
        const digest = createHash('sha256').update(rest).digest('hex')
        writeFileSync(trial.file, `${stamp.replace(/"digest":"\w+"/, `"digest":"${digest}"`)}\n${rest}`)
      },
      /its signature does not match: it was changed after it was signed/,
    ],
    [
      'stamp',
      (trial) => {
        trial.sign(OURS.privateKey)
        writeFileSync(trial.file, readFileSync(trial.file, 'utf8').replace('{"cookie"', '{ "cookie"'))
      },
      /its signature does not match/,
    ],
    ['swapped', (trial) => trial.sign(OURS.privateKey, moduleText('signed')), /its signature does not match/],
    [
      'claimed',
      (trial) => {
        // A stranger's signature under our key's name.
        const line = signatureLine(readFileSync(trial.file), THEIRS.privateKey)
        writeFileSync(`${trial.file}.sig`, line.replace(THEIR_TEXT, OUR_TEXT))
      },
      /its signature does not match/,
    ],
    ['damaged', (trial) => writeFileSync(`${trial.file}.sig`, `${OUR_TEXT} abc\n`), /its signatures are damaged/],
    ['folder', (trial) => mkdirSync(`${trial.file}.sig`), /its signatures cannot be read: Not a regular file/],
    ['empty', (trial) => writeFileSync(`${trial.file}.sig`, ''), /no key of ModuleSignedBy has signed it/],
  ]
  for (const [name, prepare, reason] of kinds) {
    const trial = new Trial(t, name)
    prepare(trial)
    const message = await trial.load(t, `ModuleSignedBy ${OUR_TEXT}`)
    t.match(message, new RegExp(`^line 3 of httpd\\.conf: Cannot load modules/mod_${name}\\.mjs into server: \\S+: `), name)
    t.match(message, reason, name)
    t.notOk(trial.ran(), name)
  }
})

t.test('keys are read from files, as lines and as PEM, and each mistake in them ends the start', async (t) => {
  const trial = new Trial(t, 'files')
  trial.sign(OURS.privateKey)
  const keys = (text: string): void => writeFileSync(join(trial.root, 'conf/keys'), text)
  const pem = String(OURS.publicKey.export({ format: 'pem', type: 'spki' }))
  for (const text of [`# the vendor\n\n${OUR_TEXT} vendor, since 2026\n`, pem, `${THEIR_TEXT}\n${pem}`]) {
    keys(text)
    t.equal(await trial.load(t, 'ModuleSignedBy conf/keys'), 'loaded', text)
  }
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  for (const [text, reason] of [
    [String(OURS.privateKey.export({ format: 'pem', type: 'pkcs8' })), /conf\/keys contains a private key/],
    ['', /contains no key/],
    [`${pem}\nnothing\n`, /contains something else than keys in line 5/],
    [String(rsa.export({ format: 'pem', type: 'spki' })), /contains a public key that is not of ed25519/],
  ] as const) {
    keys(text)
    t.match(await trial.load(t, 'ModuleSignedBy conf/keys'), reason)
  }
  t.match(
    await trial.load(t, 'ModuleSignedBy conf/none'),
    /^line 2 of httpd\.conf: ModuleSignedBy: cannot read \S+conf\/none: No such file/,
  )
  t.match(await trial.load(t, 'ModuleSignedBy ed25519:abc'), /ModuleSignedBy: 'ed25519:abc' is not a key/)
})

t.test('ModuleSignedBy after a loaded module is refused, because it would only seem to protect', async (t) => {
  const trial = new Trial(t, 'late')
  t.match(
    await trial.load(t, '', `ModuleSignedBy ${OUR_TEXT}`),
    /^line 4 of httpd\.conf: .*comes too late: late_module is already loaded/,
  )
})

t.test('ModuleSignedBy holds for all lines after it, wherever in the configuration it is', async (t) => {
  const before = `<VirtualHost *:81>\nModuleSignedBy ${OUR_TEXT}\n</VirtualHost>`
  t.match(await new Trial(t, 'hosted').load(t, before), /it is not signed/)
})

t.test('a key has one text only', (t) => {
  t.equal(signingKey(OUR_TEXT)?.text, OUR_TEXT)
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const last = digits[digits.indexOf(OUR_TEXT.at(-2) ?? '') ^ 1]
  t.equal(signingKey(`${OUR_TEXT.slice(0, -2)}${last}=`), undefined)
  t.match(keysOfText(`${OUR_TEXT}x`), { error: /something else/ })
  t.end()
})

t.test('the bytes that were checked are executed, although the file has changed since', async (t) => {
  const file = join(t.testdir({ 'mod_race.mjs': 'export default "checked"\n' }), 'mod_race.mjs')
  const url = pathToFileURL(file).href
  const bytes = readFileSync(file)
  writeFileSync(file, 'export default "exchanged"\n')
  t.match(await importBytes(url, bytes), { default: 'checked' })
  t.match(await importBytes(url, bytes), { default: 'checked' }, 'a second time')
  appendFileSync(file, '// more\n')
  await t.rejects(importBytes(url, readFileSync(file)), { name: 'Error' }, 'Node would answer with the former code')
})
