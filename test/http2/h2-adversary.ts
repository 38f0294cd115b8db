import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** How clients reach a server: in the clear with prior knowledge, or by TLS with h2 chosen by ALPN. */
export type Way = 'plain' | 'tls'

const PYTHON = '/usr/bin/python3'
const PROGRAM = join(import.meta.dirname, 'h2_adversary.py')

/** Something that the program can do to a server, and the line of the log that it causes. */
export interface Trick {
  readonly name: string
  readonly line: RegExp
  /** Whether time limits end it. */
  readonly isSlow?: boolean
}

export const ADVERSARY_TRICKS: readonly Trick[] = [
  { name: 'resets', line: /session closed: too many streams were reset/ },
  { name: 'pings', line: /session closed: too many frames/ },
  { name: 'settings', line: /session closed: too many frames/ },
  { name: 'priorities', line: /session closed: too many frames/ },
  { name: 'no-window', isSlow: true, line: /stream \d+ was reset: its client has taken nothing for 2 s/ },
  { name: 'injections', line: /session closed: too many streams were reset/ },
  { name: 'short-bodies', line: /session closed: too many streams were reset/ },
]

/** Whether the package python3-h2 is installed. */
export function hasAdversary(): boolean {
  return spawnSync(PYTHON, ['-c', 'import h2']).status === 0
}

/**
 * Runs a trick to the end of the connection; the output, with errors.
 * @param from source address in the loopback network
 */
export function adversary(trick: string, port: number, from: string, way: Way): Promise<string> {
  const child = spawn(PYTHON, [PROGRAM, trick, String(port), from, way], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('latin1').on('data', (part: string) => (text += part))
  return new Promise((resolve) => child.once('close', () => resolve(text)))
}
