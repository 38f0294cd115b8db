import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { configLines, systemError } from '@gatewright/api/text'
import type { CryptoConfig, CryptoServerConfig } from './config.ts'
import { passphraseFrom } from './pass-phrase-program.ts'

/** The longest line of a file of passphrases, in bytes, as in httpd. */
const LINE_LIMIT = 8192

export const directives: DirectiveTable<CryptoConfig, CryptoServerConfig> = {
  SessionCryptoPassphrase: directive.iterate({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'AuthConfig',
    help: 'The passphrase(s) used to encrypt the session. First will be used for encryption, all phrases will be accepted for decryption',
    set: (config: CryptoConfig, word, command) => {
      const isProgram = word.startsWith('exec:') && word.length > 5
      // The program would run for each request to the folder.
      if (isProgram && command.inHtaccess) return `${command.name}: exec: is not allowed in .htaccess files`
      const phrase = isProgram ? passphraseFrom(word.slice(5), (path) => command.serverRelative(path)) : word
      config.passphrases = [...(config.passphrases ?? []), phrase]
      return undefined
    },
  }),
  SessionCryptoPassphraseFile: directive.take1({
    scope: 'directory',
    context: ['server', 'virtualhost', 'directory'],
    help: 'File containing passphrase(s) used to encrypt the session, one per line. First will be used for encryption, all phrases will be accepted for decryption',
    set: addFromFile,
  }),
  SessionCryptoCipher: directive.take1({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'AuthConfig',
    help: 'The underlying crypto cipher to use',
    set: (config: CryptoConfig, word) => {
      config.cipher = word
    },
  }),
  SessionCryptoDriver: directive.raw({
    scope: 'server',
    context: contexts.mainServer,
    help: 'The underlying crypto library driver to use',
    set: (config: CryptoServerConfig, text, command) => {
      const [word] = command.words(text)
      if (word !== undefined) config.driver ??= word
      return undefined
    },
  }),
}

function addFromFile(config: CryptoConfig, path: string, command: Command): SetResult {
  const file = command.serverRelative(path)
  const text = command.services.readFile(file)
  if (typeof text !== 'string') return `${command.name}: Could not open file ${file}: ${reasonOf(text)}`
  config.passphrases = [...(config.passphrases ?? []), ...configLines(text, LINE_LIMIT)]
  return undefined
}

/** As the system words it. */
function reasonOf(error: NodeJS.ErrnoException): string {
  return error.errno === undefined ? error.message : systemError(Math.abs(error.errno)).text
}
