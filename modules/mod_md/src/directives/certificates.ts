import { type Directive, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { authorityUrl } from '../authorities.ts'
import { readKeySpecs } from '../key-specs.ts'
import type { DomainSettings, MdSettings } from '../settings.ts'
import { LIFE_NORM, parseSlice, type TimeSlice } from '../time-slice.ts'
import { httpUriProblem } from '../url-checks.ts'
import { readBinding } from './binding.ts'
import { IN_SERVERS, readSwitch, settingsOf } from './places.ts'

/** Directives that may be set for all domains or for one. */
export const certificateDirectives: DirectiveTable<undefined, MdSettings> = {
  MDCertificateAuthority: directive.argv({
    ...IN_SERVERS,
    help: 'URL(s) or known name(s) of CA issuing the certificates',
    set: (config: MdSettings, words) => {
      const urls: string[] = []
      for (const word of words) {
        const found = authorityUrl(word)
        if ('error' in found) return found.error
        urls.push(found.url)
      }
      settingsOf(config).authorities = urls
      return undefined
    },
  }),
  MDCertificateAgreement: textDirective('agreement', "either 'accepted' or the URL of CA Terms-of-Service agreement you accept"),
  MDCAChallenges: directive.argv({
    ...IN_SERVERS,
    help: 'A list of challenge types to be used.',
    set: (config: MdSettings, words) => {
      settingsOf(config).challenges = words
      return undefined
    },
  }),
  MDCertificateProtocol: textDirective('protocol', 'Protocol used to obtain/renew certificates'),
  MDContactEmail: textDirective('contact', 'Email address used for account registration'),
  MDDriveMode: modeDirective('deprecated, older name for MDRenewMode'),
  MDRenewMode: modeDirective('Controls how renewal of Managed Domain certificates shall be handled.'),
  MDMustStaple: switchDirective('mustStaple', 'Enable/Disable the Must-Staple flag for new certificates.'),
  MDPrivateKeys: directive.argv({
    ...IN_SERVERS,
    help: 'set the type and parameters for private key generation',
    set: (config: MdSettings, words) => {
      const keys = readKeySpecs(words)
      if (typeof keys === 'string') return keys
      settingsOf(config).keys = keys
      return undefined
    },
  }),
  MDRenewWindow: windowDirective('renewWindow', 'Time length for renewal before certificate expires (defaults to days).'),
  MDWarnWindow: windowDirective(
    'warnWindow',
    'When less time remains for a certificate, send our/log a warning (defaults to days)',
  ),
  MDRequireHttps: directive.take1({
    ...IN_SERVERS,
    // In a section httpd says so with other words than of the other directives.
    context: ['server', 'virtualhost', 'directory'],
    help: 'Redirect non-secure requests to the https: equivalent.',
    set: (config: MdSettings, word, { name, section }) => {
      if (section.kind !== 'server' && section.kind !== 'VirtualHost') {
        return `${name} cannot occur within <${section.kind}> section`
      }
      const demand = (['off', 'temporary', 'permanent'] as const).find((one) => one === word.toLowerCase())
      if (demand === undefined) return `unknown '${word}', supported parameter values are 'temporary' and 'permanent'`
      settingsOf(config).requireHttps = demand
      return undefined
    },
  }),
  MDExternalAccountBinding: directive.take12({
    ...IN_SERVERS,
    help: 'Set the external account binding keyid and hmac values to use at CA',
    set: (config: MdSettings, first, hmac, command) => {
      const binding = readBinding(first, hmac, command)
      if (typeof binding === 'string') return binding
      settingsOf(config).binding = binding
      return undefined
    },
  }),
  MDProfile: textDirective('profile', 'The name of an CA profile to order certificates for.'),
  MDProfileMandatory: switchDirective('profileMandatory', 'Determines if a configured CA profile is mandatory.'),
  MDRenewViaARI: switchDirective('renewByAri', 'Enable/Disable ACME ARI (RFC 9773) to trigger renewals.'),
  MDStapling: switchDirective('stapling', 'Enable/Disable OCSP Stapling for this/all Managed Domain(s).'),
  MDStapleOthers: switchDirective('stapleOthers', 'Enable/Disable OCSP Stapling for certificates not in Managed Domains.'),
  MDHttpProxy: directive.take1({
    ...IN_SERVERS,
    help: 'URL of a HTTP(S) proxy to use for outgoing connections',
    set: (config: MdSettings, url) => {
      const problem = httpUriProblem(url)
      return problem ?? setHereOrForAll(config, 'proxyUrl', url)
    },
  }),
  MDChallengeDns01: directive.raw({
    ...IN_SERVERS,
    help: 'Set the command for setup/teardown of dns-01 challenges',
    set: (config: MdSettings, text, command) => {
      const line = { text, words: command.words(text) }
      if (config.current === null) config.process.dnsCommand = line
      else config.current.settings.dnsCommand = line
      return undefined
    },
  }),
  MDCACertificateFile: directive.take1({
    ...IN_SERVERS,
    help: 'Set the CA file to use for connections',
    set: (config: MdSettings, path) => setHereOrForAll(config, 'caFile', path),
  }),
  MDHttpProxyCACertificateFile: directive.take1({
    ...IN_SERVERS,
    help: 'Set the CA file to use for connections to the HTTP(S) proxy',
    set: (config: MdSettings, path) => setHereOrForAll(config, 'proxyCaFile', path),
  }),
}

type NamesOf<T> = { [K in keyof DomainSettings]-?: NonNullable<DomainSettings[K]> extends T ? K : never }[keyof DomainSettings]
type TextName = Extract<NamesOf<string>, 'agreement' | 'protocol' | 'contact' | 'profile'>
type Row = Directive<undefined, MdSettings>

function textDirective(name: TextName, help: string): Row {
  return directive.take1({
    ...IN_SERVERS,
    help,
    set: (config: MdSettings, word) => {
      settingsOf(config)[name] = word
      return undefined
    },
  })
}

function switchDirective(name: NamesOf<boolean>, help: string): Row {
  return directive.take1({
    ...IN_SERVERS,
    help,
    set: (config: MdSettings, word) => {
      const read = readSwitch(word)
      if ('error' in read) return read.error
      settingsOf(config)[name] = read.on
      return undefined
    },
  })
}

function windowDirective(name: NamesOf<TimeSlice>, help: string): Row {
  return directive.take1({
    ...IN_SERVERS,
    help,
    set: (config: MdSettings, text, command) => {
      const slice = parseSlice(text, LIFE_NORM)
      const problem = typeof slice === 'string' ? slice : wholeOrMore(slice)
      if (problem !== undefined) return `${command.name} ${problem}`
      if (typeof slice !== 'string') settingsOf(config)[name] = slice
      return undefined
    },
  })
}

function wholeOrMore({ norm, length }: TimeSlice): string | undefined {
  return norm > 0 && length >= norm ? 'a length of 100% or more is not allowed.' : undefined
}

const MODES = { auto: 'auto', automatic: 'auto', always: 'always', manual: 'manual', stick: 'manual' } as const

function modeDirective(help: string): Row {
  return directive.take1({
    ...IN_SERVERS,
    help,
    set: (config: MdSettings, word) => {
      const mode = Object.entries(MODES).find(([name]) => name === word.toLowerCase())?.[1]
      if (mode === undefined) return `unknown MDDriveMode ${word}`
      settingsOf(config).renewMode = mode
      return undefined
    },
  })
}

/** Outside of sections these count for the whole server, wherever the line is. */
function setHereOrForAll(config: MdSettings, name: 'proxyUrl' | 'caFile' | 'proxyCaFile', value: string): SetResult {
  if (config.current === null) config.process[name] = value
  else config.current.settings[name] = value
  return undefined
}
