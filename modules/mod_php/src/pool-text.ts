import type { PhpSettings } from './settings.ts'

/** What a pool is made of. */
export interface PoolParts {
  readonly socket: string
  /** The file for messages of PHP-FPM itself. */
  readonly log: string
  readonly settings: PhpSettings
  /** Null if the process is not root and has no choice. */
  readonly user: { readonly uid: number; readonly gid: number } | null
}

/** Processes of a pool at most. */
const CHILDREN = 16

/**
 * The configuration of a PHP-FPM with one pool. Only files that the server has found are executed, under whatever name the
 * configuration gives to scripts, so that PHP-FPM need not look at the name.
 */
export function poolText({ socket, log, settings, user }: PoolParts): string {
  const lines = ['[global]', 'daemonize = no', `error_log = ${log}`, 'log_level = warning', 'process_control_timeout = 30']
  lines.push('[php]')
  if (user !== null) lines.push(`user = ${user.uid}`, `group = ${user.gid}`)
  lines.push(
    `listen = ${socket}`,
    'listen.mode = 0600',
    'pm = ondemand',
    `pm.max_children = ${CHILDREN}`,
    'pm.process_idle_timeout = 10s',
    'security.limit_extensions =',
  )
  for (const [name, { value, isAdmin }] of settings) {
    if (name === 'engine') continue
    lines.push(`php_${isAdmin ? 'admin_' : ''}value[${name}] = ${quoted(value)}`)
  }
  return `${lines.join('\n')}\n`
}

/**
 * A text that stands for itself: nothing within single quotes does anything else, and a quote is put into double quotes.
 * PHP-FPM takes no empty text within single quotes.
 */
function quoted(value: string): string {
  if (value === '') return '""'
  return value
    .split("'")
    .map((part) => (part === '' ? '' : `'${part}'`))
    .join(`"'"`)
}
