import { type Command, type Directive, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import type { MdSettings, ProcessSettings } from '../settings.ts'
import { KEEP_NORM, LIFE_NORM, parseDuration, parseSlice } from '../time-slice.ts'
import { IN_SERVERS, readSwitch, refuseInside } from './places.ts'
import { readPortMap } from './port-map.ts'

type Row = Directive<undefined, MdSettings>

/** Directives that count for the whole server, wherever their line is. */
export const processDirectives: DirectiveTable<undefined, MdSettings> = {
  MDPortMap: directive.take12({
    ...IN_SERVERS,
    help: 'Declare the mapped ports 80 and 443 on the local server. E.g. 80:8000 to indicate that the server port 8000 is reachable as port 80 from the internet. Use 80:- to indicate that port 80 is not reachable from the outside.',
    set: (config: MdSettings, first, second, command) => {
      const refused = refuseInside(config, command) ?? readPortMap(config.process, first)
      return refused ?? (second === undefined ? undefined : readPortMap(config.process, second))
    },
  }),
  MDStoreDir: outside('the directory for file system storage of managed domain data.', (settings, path) => {
    settings.storeDir = path
  }),
  MDBaseServer: outside('Allow managing of base server outside virtual hosts.', (settings, word) =>
    setSwitch(settings, 'manageBaseServer', word),
  ),
  MDNotifyCmd: command('notifyCommand', 'Set the command to run when signup/renew of domain is complete.'),
  MDMessageCmd: command('messageCommand', 'Set the command run when a message about a domain is issued.'),
  MDChallengeDns01Version: outside('Set the type of arguments to call `MDChallengeDns01` with', (settings, word) => {
    if (word !== '1' && word !== '2') return 'Only versions `1` and `2` are supported'
    settings.dnsVersion = word
  }),
  MDServerStatus: anywhere('On to see Managed Domains in server-status.', (settings, word) =>
    setSwitch(settings, 'serverStatus', word),
  ),
  MDCertificateStatus: anywhere('On to see Managed Domain expose /.httpd/certificate-status.', (settings, word) =>
    setSwitch(settings, 'certificateStatus', word),
  ),
  MDStaplingKeepResponse: checked(anywhere, 'The amount of time to keep an OCSP response in the store.', (text) => {
    const slice = parseSlice(text, KEEP_NORM)
    return typeof slice === 'string' ? `MDStaplingKeepResponse ${slice}` : undefined
  }),
  MDStaplingRenewWindow: checked(anywhere, 'Time length for renewal before OCSP responses expire (defaults to days).', (text) => {
    const slice = parseSlice(text, LIFE_NORM)
    if (typeof slice === 'string') return `MDStaplingRenewWindow ${slice}`
    const isWhole = slice.norm > 0 && slice.length >= slice.norm
    return isWhole ? 'MDStaplingRenewWindow with a length of 100% or more is not allowed.' : undefined
  }),
  MDCertificateCheck: directive.take2({
    ...IN_SERVERS,
    help: 'Set name and URL pattern for a certificate monitoring site.',
    set: ({ process }: MdSettings, name, url) => {
      process.monitorName = name
      process.monitorUrl = url
      return undefined
    },
  }),
  MDActivationDelay: duration('How long to delay activation of new certificates', 'd', (settings, ms) => {
    settings.activationDelay = ms
  }),
  MDInitialDelay: duration('How long to delay the first certificate check.', 's', (settings, ms) => {
    if (ms < 0) return 'initial delay must not be negative'
    settings.initialDelay = ms
  }),
  MDCheckInterval: duration('Time between certificate checks.', 's', (settings, ms) => {
    if (ms < 1000) return 'check interval cannot be less than one second'
    settings.checkInterval = ms
  }),
  MDRetryDelay: duration('Time length for first retry, doubled on every consecutive error.', 's', (settings, ms) => {
    if (ms <= 0) return 'minimum delay must be greater than 0'
    settings.retryDelay = ms
  }),
  MDRetryFailover: outside('The number of errors before a failover to another CA is triggered.', (settings, text) => {
    const count = Number(/^\s*([-+]?\d+)/.exec(text)?.[1] ?? 0)
    if (count <= 0) return 'invalid argument, must be a number > 0'
    settings.retryFailover = count
  }),
  MDStoreLocks: checked(outside, 'Configure locking of store for updates.', (text) => {
    const isKnown = /^(?:on|off)$/i.test(text) || parseDuration(text, 's') !== undefined
    return isKnown ? undefined : "neither 'on', 'off' or a duration specified"
  }),
  MDMatchNames: outside('Determines how DNS names are matched to vhosts.', (settings, text) => {
    const lower = text.toLowerCase()
    if (lower !== 'all' && lower !== 'servernames') return "invalid argument, must be a 'all' or 'servernames'"
    settings.matchNames = lower
  }),
}

type Setter<V> = (settings: Partial<ProcessSettings>, value: V) => string | void

function outside(help: string, set: Setter<string>): Row {
  return directive.take1({
    ...IN_SERVERS,
    help,
    set: (config: MdSettings, word, command: Command) => refuseInside(config, command) ?? set(config.process, word),
  })
}

function anywhere(help: string, set: Setter<string>): Row {
  return directive.take1({ ...IN_SERVERS, help, set: ({ process }: MdSettings, word): SetResult => set(process, word) })
}

/** A directive whose value is checked and changes nothing. */
function checked(row: typeof outside, help: string, problem: (text: string) => string | undefined): Row {
  return { ...row(help, (_settings, text) => problem(text)), effect: 'none' }
}

function duration(help: string, unit: 's' | 'd', set: Setter<number>): Row {
  return outside(help, (settings, text) => {
    const ms = parseDuration(text, unit)
    return ms === undefined ? 'unrecognized duration format' : set(settings, ms)
  })
}

function command(name: 'notifyCommand' | 'messageCommand', help: string): Row {
  return directive.raw({
    ...IN_SERVERS,
    help,
    set: (config: MdSettings, text, line) => {
      const refused = refuseInside(config, line)
      if (refused === undefined) config.process[name] = text === '' ? undefined : { text, words: line.words(text) }
      return refused
    },
  })
}

function setSwitch(
  settings: Partial<ProcessSettings>,
  name: 'manageBaseServer' | 'serverStatus' | 'certificateStatus',
  word: string,
): string | undefined {
  const read = readSwitch(word)
  if ('error' in read) return read.error
  settings[name] = read.on
  return undefined
}
