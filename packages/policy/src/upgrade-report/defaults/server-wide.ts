import type { UpgradeFinding, Weight } from '../finding.ts'
import type { OldConfiguration } from './old-configuration.ts'

/** Server-wide settings that the configuration does not make. */
interface ServerWideDefault {
  readonly directive: string
  readonly was: string
  readonly now: string
  readonly weight: Weight
  /** The noticeable effect. */
  readonly effect: string
  /** Lines that restore the former behaviour. */
  readonly keep: readonly string[]
  /** Whether the configuration relies on the default; normally, whether the directive does not appear. */
  relies?(old: OldConfiguration): boolean
}

export function serverWideFindings(old: OldConfiguration): UpgradeFinding[] {
  return DEFAULTS.filter(({ directive, relies }) => relies?.(old) ?? old.lines.named(directive).length === 0).map(
    ({ directive, was, now, weight, effect, keep }) => ({
      kind: 'default',
      weight,
      place: { file: old.configFile, line: 0 },
      subject: directive,
      text: `not set: the default was ${was} and is now ${now}: ${effect}`,
      instead: keep,
      by: weight === 'know' ? null : 'hand',
    }),
  )
}

const DEFAULTS: readonly ServerWideDefault[] = [
  {
    directive: 'Timeout',
    was: '300 seconds',
    now: '60 seconds',
    weight: 'look',
    effect: 'the server gives up clients and handlers that are silent for more than a minute',
    keep: ['Timeout 300'],
    relies: ({ configuration }) => configuration.main.core.timeout === undefined,
  },
  {
    directive: 'DefaultType',
    was: 'text/plain',
    now: 'none',
    weight: 'look',
    effect: 'files whose name does not determine a type are sent without Content-Type, and browsers guess',
    keep: ['DefaultType none', '<FilesMatch "^[^.]+$">', '    ForceType text/plain', '</FilesMatch>'],
  },
  {
    directive: 'RequestReadTimeout',
    was: 'none',
    now: 'header=20-40,MinRate=500 body=20,MinRate=500',
    weight: 'look',
    effect: 'mod_reqtimeout is loaded, so the server ends requests that arrive more slowly',
    keep: ['RequestReadTimeout header=0 body=0'],
    relies: ({ configuration, lines }) =>
      configuration.module('reqtimeout_module') !== undefined && lines.named('RequestReadTimeout').length === 0,
  },
  {
    directive: 'LimitRequestBody',
    was: 'unlimited',
    now: '1073741824 bytes',
    weight: 'look',
    effect: 'the server answers a request body of more than 1 GiB with 413',
    keep: ['LimitRequestBody 0'],
  },
  {
    directive: 'FileETag',
    was: 'INode MTime Size',
    now: 'MTime Size',
    weight: 'know',
    effect: 'every ETag changes once, so caches fetch files again; servers that share files now produce the same ETags',
    keep: ['FileETag INode MTime Size'],
  },
  {
    directive: 'ExtendedStatus',
    was: 'Off',
    now: 'On if mod_status is loaded',
    weight: 'know',
    effect: 'server-status shows the requests and addresses of clients to everybody with access to it',
    keep: ['ExtendedStatus Off'],
    relies: ({ configuration, lines }) =>
      configuration.module('status_module') !== undefined && lines.named('ExtendedStatus').length === 0,
  },
  {
    directive: 'HttpProtocolOptions',
    was: 'as Unsafe before 2.2.32',
    now: 'Strict',
    weight: 'know',
    effect: 'the server answers requests that violate HTTP with 400',
    keep: ['HttpProtocolOptions Unsafe'],
  },
  {
    directive: 'EnableSendfile',
    was: 'On',
    now: 'Off',
    weight: 'know',
    effect: 'the server reads and writes files instead of passing them to the kernel; the content is the same',
    keep: ['EnableSendfile On'],
  },
]
