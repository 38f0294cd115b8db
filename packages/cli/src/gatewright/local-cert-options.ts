import { certificateName } from './local-cert/certificate-names.ts'
import { sortWords, type UsageError } from './words.ts'

/** The options of `gatewright local-cert`. */
export interface LocalCertRequest {
  /** More names for the certificate, as certificates state them. */
  readonly names: readonly string[]
  /** Where the files are kept, not decoded: one character for each byte. Null for the folder of the installation. */
  readonly folder: string | null
  readonly output: 'text' | 'json'
}

const OPTIONS = {
  json: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseLocalCertOptions(argv: readonly string[]): LocalCertRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  if (values.output === '') return { complaint: '--output requires a folder' }
  const names: string[] = []
  for (const word of positionals) {
    const name = certificateName(Buffer.from(word, 'latin1').toString('utf8'))
    if (name === undefined)
      return { complaint: `'${word}' is not a host name or an IP address; write names without scheme, port and path` }
    names.push(name)
  }
  return { names, folder: values.output ?? null, output: values.json === true ? 'json' : 'text' }
}

export const LOCAL_CERT_USAGE: string = `Usage: gatewright local-cert [--json] [-o DIR] [NAME...]

Makes a certificate for development, and an authority that signs it. The certificate is valid for localhost, 127.0.0.1, ::1 and the given names: host names, names such as *.example.test, and IP addresses. Names of earlier runs are kept.

Run it again at any time: it writes only what is missing, lacks a name, or expires within 30 days.

  -o, --output DIR  keep the files in this folder (default: local-cert beside the configuration file)
      --json        print the result as JSON

The exit status is 0 if the certificate can be used, 1 if a file could not be read or written, 2 if the command line is wrong.`
