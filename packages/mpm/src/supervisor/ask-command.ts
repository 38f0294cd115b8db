import net from 'node:net'
import type { ServerCommandResult } from '@gatewright/api'
import { type CommandRequest, requestLine } from './command-request.ts'
import { commandSocketPath, shortPath } from './command-socket.ts'

/** What a server answers to a command: the active configuration first, then former ones if they were asked. */
export type CommandAnswer =
  | { readonly answers: readonly ServerCommandResult[] }
  | { readonly problem: string; readonly hint: string }

/** A server answers within this time, or does not answer (ms): its workers have 10 s each. */
const PATIENCE = 60_000
/** Most characters of an answer. */
const LONGEST_ANSWER = 64 * 1024 * 1024

/** Sends a command to the running server with this pid file. */
export async function askCommand(pidFile: string, request: CommandRequest): Promise<CommandAnswer> {
  try {
    return answersIn(await exchange(commandSocketPath(pidFile), requestLine(request)))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return {
      problem: `the server cannot be asked: ${error instanceof Error ? error.message : error}`,
      hint: HINTS[code] ?? OTHER_HINT,
    }
  }
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: 'run the command as root, or as the user who started the server',
  ENOENT: 'a server listens for commands if a loaded module has some, as mod_proxy_balancer; load it, and run httpd -k graceful',
}
const OTHER_HINT = 'see the error log of the server, and run the command again'

function exchange(path: string, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const short = shortPath(path)
    const socket = net.connect({ path: short.path })
    let text = ''
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error(`no answer for ${PATIENCE / 1000} seconds`)))
    socket.setEncoding('utf8')
    socket.on('connect', () => {
      short.done()
      socket.write(line)
    })
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.length > LONGEST_ANSWER) socket.destroy(new Error('the answer does not end'))
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
    socket.on('close', () => {
      short.done()
      reject(new Error('the connection was closed'))
    })
  })
}

function answersIn(text: string): CommandAnswer {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || !('answers' in value) || !Array.isArray(value.answers))
    throw new Error('the answer is not that of a server')
  return { answers: value.answers.map(resultOf) }
}

function resultOf(value: unknown): ServerCommandResult {
  if (typeof value === 'object' && value !== null) {
    if ('data' in value && typeof value.data === 'object' && value.data !== null) return { data: value.data }
    if ('problem' in value && typeof value.problem === 'string') {
      const hint = 'hint' in value && typeof value.hint === 'string' ? { hint: value.hint } : {}
      return { problem: value.problem, ...hint }
    }
  }
  throw new Error('the answer is not that of a command')
}
