import t from 'tap'
import { createSectionSettings, createServerSettings, mergeSectionSettings, mergeServerSettings } from '../src/merge.ts'
import {
  applyOptions,
  EXPORT_CERT_DATA,
  FAKE_BASIC_AUTH,
  mergeOptions,
  NO_OPTIONS,
  type SectionOptions,
  STD_ENV_VARS,
} from '../src/options.ts'
import type { ServerSettings } from '../src/settings.ts'

const server = (changes: Partial<ServerSettings>): ServerSettings => ({ ...createServerSettings(), ...changes })

t.test('a virtual host inherits value by value', (t) => {
  const main = server({ engine: 'on', sessionTimeout: 10, ocsp: { timeSkew: 1, maxAge: 2 }, certificateFiles: ['m'] })
  const merged = mergeServerSettings(main, server({ sessionTimeout: 0, ocsp: { maxAge: 3 } }))
  t.match(merged, { engine: 'on', sessionTimeout: 0, ocsp: { timeSkew: 1, maxAge: 3 }, certificateFiles: ['m'] })
  t.strictSame(main.ocsp, { timeSkew: 1, maxAge: 2 })
  t.end()
})

t.test('files of a virtual host replace those at their places, up to three', (t) => {
  const files = (main: string, host: string): string =>
    mergeServerSettings(server({ keyFiles: [...main] }), server({ keyFiles: [...host] })).keyFiles.join('')
  t.equal(files('abc', 'X'), 'Xbc')
  t.equal(files('abcde', 'XYZW'), 'XYZdeW')
  t.equal(files('', 'XY'), 'XY')
  t.equal(files('ab', ''), 'ab')
  t.end()
})

t.test('commands for OpenSSL add up', (t) => {
  const command = (name: string): Partial<ServerSettings> => ({ confCommands: [{ name, value: '' }] })
  const { confCommands } = mergeServerSettings(server(command('a')), server(command('b')))
  t.strictSame(
    confCommands.map(({ name }) => name),
    ['a', 'b'],
  )
  t.end()
})

t.test('SSLRequireSSL stays in inner sections, verification is replaced', (t) => {
  const outer = { ...createSectionSettings(), requireSsl: true, verifyClient: 'require' as const, verifyDepth: 3 }
  const inner = { ...createSectionSettings(), verifyClient: 'none' as const }
  t.match(mergeSectionSettings(outer, inner), { requireSsl: true, verifyClient: 'none', verifyDepth: 3 })
  t.end()
})

t.test('signs of SSLOptions add to the outer section, words without sign replace it', (t) => {
  const read = (text: string): SectionOptions => {
    const options = applyOptions(NO_OPTIONS, text.split(' '))
    if (typeof options === 'string') throw new Error(options)
    return options
  }
  const merged = (outer: string, inner: string): number => mergeOptions(read(outer), read(inner)).bits
  t.equal(merged('+StdEnvVars', '+FakeBasicAuth'), STD_ENV_VARS | FAKE_BASIC_AUTH)
  t.equal(merged('+StdEnvVars +FakeBasicAuth', '-StdEnvVars'), FAKE_BASIC_AUTH)
  t.equal(merged('+StdEnvVars', 'ExportCertData'), EXPORT_CERT_DATA)
  t.equal(read('+StdEnvVars ExportCertData').bits, EXPORT_CERT_DATA, 'the last word without sign counts')
  t.equal(mergeOptions(read('StdEnvVars'), NO_OPTIONS).bits, STD_ENV_VARS)
  t.equal(applyOptions(NO_OPTIONS, ['+nosuch']), "SSLOptions: Illegal option 'nosuch'")
  t.end()
})
