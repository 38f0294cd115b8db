import { setTimeout as pause } from 'node:timers/promises'
import { ConfigError } from '@gatewright/core'
import { loadStart } from '@gatewright/mpm/reader'
import { askCommand, readPidFile, runningServer } from '@gatewright/mpm/supervisor'
import { absolutePath } from '../byte-path.ts'
import { COMPILED_IN } from '../compiled-in.ts'
import { problemLines } from '../problem-lines.ts'
import { MODULES_FOLDER, OWN_MODULES, STANDARD_FILES } from '../program.ts'
import { print } from '../startup-output.ts'
import { type BalancerAnswer, balancerAnswer } from './balancer-answer.ts'
import { BALANCER_USAGE, type BalancerRequest, parseBalancerOptions } from './balancer-options.ts'
import { balancerText } from './balancer-table.ts'
import { configurationAt, ToolSource } from './configuration-at.ts'
import { outputPalette } from './output-palette.ts'
import { printUsage } from './words.ts'

/** Between two looks at the requests of a member (ms). */
const STEP = 100

/** `gatewright balancer`. @returns the exit status */
export async function runBalancer(argv: readonly string[]): Promise<number> {
  const request = parseBalancerOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('balancer', request, BALANCER_USAGE)
  try {
    const pidFile = request.pidFile === null ? await configuredPidFile(request) : absolutePath(request.pidFile)
    if (runningServer(pidFile, readPidFile(pidFile)) === undefined)
      return complain({
        message: `no server runs with the pid file ${pidFile}`,
        hint: 'name its configuration with -d and -f, or its pid file',
      })
    return await operate(request, pidFile)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    print(2, error.lines('gatewright').join('\n'))
    return 1
  }
}

/** @throws ConfigError */
async function configuredPidFile({ configFile, serverRoot, defines, before, after }: BalancerRequest): Promise<string> {
  const found = configurationAt(configFile, serverRoot)
  const installation = {
    program: 'gatewright',
    modulesFolder: MODULES_FOLDER,
    ownModules: OWN_MODULES,
    standardFiles: STANDARD_FILES,
  }
  const start = { ...installation, ...found, defines, before, after, skipDocumentRootCheck: true }
  const source = new ToolSource()
  const { plan } = await loadStart(start, { source, compiledIn: COMPILED_IN, report: () => undefined, purpose: 'check' })
  return plan.pidFile
}

async function operate({ verb, words, server, wait, output, colour }: BalancerRequest, pidFile: string): Promise<number> {
  const asked = await ask(pidFile, [server, verb, ...words], false)
  if ('message' in asked) return complain(asked)
  const [answer] = asked
  const member = words[1]
  const isIdle = wait === null || (await hasNoRequests(pidFile, answer, member, wait * 1000))
  if (typeof isIdle === 'object') return complain(isIdle)
  const waited = wait === null ? {} : { idle: isIdle }
  print(1, output === 'json' ? JSON.stringify({ ...answer, ...waited }, null, 2) : balancerText(answer, outputPalette(colour)))
  if (isIdle) return 0
  return complain({
    message: `${member} still has requests after ${wait} seconds`,
    hint: 'it gets no new ones; run the command again to wait longer',
  })
}

interface Failure {
  readonly message: string
  readonly hint?: string
}

async function ask(pidFile: string, words: readonly string[], isOfFormer: boolean): Promise<readonly BalancerAnswer[] | Failure> {
  const answer = await askCommand(pidFile, { words: ['balancer', ...words], isOfFormer })
  if ('problem' in answer) return { message: answer.problem, hint: answer.hint }
  const shown: BalancerAnswer[] = []
  for (const [index, result] of answer.answers.entries()) {
    if ('problem' in result) {
      // A former configuration may have had no such balancer.
      if (index > 0) continue
      return { message: result.problem, hint: result.hint }
    }
    const data = balancerAnswer(result.data)
    if (data === null)
      return { message: 'the answer of the server is not understood', hint: 'it may be of another version than this program' }
    shown.push(data)
  }
  return shown.length === 0 ? { message: 'the server gave no answer', hint: 'see its error log' } : shown
}

/** Waits until a member has no requests, those of former configurations included. @returns false if the time is over */
async function hasNoRequests(
  pidFile: string,
  { balancers }: BalancerAnswer,
  wanted: string,
  limit: number,
): Promise<boolean | Failure> {
  const [balancer] = balancers
  const url = wanted.replace(/\/$/, '')
  const name = balancer.members.find((member) => member.name.replace(/\/$/, '') === url || member.route === wanted)?.name
  for (const end = performance.now() + limit; ; await pause(STEP)) {
    const asked = await ask(pidFile, [balancer.server, 'list', balancer.name], true)
    if ('message' in asked) return asked
    const members = asked.flatMap((answer) => answer.balancers.flatMap((each) => each.members))
    if (members.every((member) => member.name !== name || member.busy === 0)) return true
    if (performance.now() > end) return false
  }
}

function complain({ message, hint }: Failure): number {
  print(2, problemLines({ message: `gatewright balancer: ${message}`, hint }).join('\n'))
  return 1
}
