import {
  credentialsField,
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_UNAUTHORIZED,
  type MaybePromise,
  type ModuleHost,
  noteBasicChallenge,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { authNameOf, authTypeOf } from '@gatewright/api/peers'
import { parseBasicCredentials } from '@gatewright/api/text'
import { askShown, isAssumedPassword } from '@gatewright/api/tracing'
import { type Answer, AnswerReader } from './answer.ts'
import type { AccessRole, Checker, FcgidCommand, FcgidConfig, FcgidServerConfig } from './config.ts'
import type { FcgidParts } from './handler.ts'
import { connectProcess } from './processes.ts'
import { accessVariables } from './variables.ts'

/** FCGI_APACHE_ROLE, and the word of messages. */
const ROLES: Readonly<Record<AccessRole, readonly [role: string, word: string]>> = {
  accessChecker: ['ACCESS_CHECKER', 'Access check'],
  authenticator: ['AUTHENTICATOR', 'Authentication'],
  authorizer: ['AUTHORIZER', 'Authorization'],
}

type Host = ModuleHost<FcgidConfig, FcgidServerConfig>

/** FcgidAccessChecker, FcgidAuthenticator, FcgidAuthorizer: only the status 200 of the program admits a request. */
export function checkAccess(request: Request, role: AccessRole, host: Host, parts: FcgidParts): MaybePromise<Outcome> {
  const checker = parts.configOf(request)[role]
  const { command } = checker
  if (command === undefined) return DECLINED
  const password = role === 'authenticator' ? passwordOf(request, host) : null
  if (typeof password === 'number') {
    parts.log.write(request, 'error', '', 'mod_fcgid: authenticator requires basic HTTP auth credentials')
    return password
  }
  return decide(request, { role, command, checker, password }, host, parts)
}

interface Question {
  readonly role: AccessRole
  readonly command: FcgidCommand
  readonly checker: Readonly<Checker>
  readonly password: string | null
}

async function decide(request: Request, question: Question, host: Host, parts: FcgidParts): Promise<Outcome> {
  const { role, checker } = question
  const { log } = parts
  const [, word] = ROLES[role]
  const of = role === 'accessChecker' ? '' : ` of user ${request.user}`
  const answer = await ask(request, question, parts)
  if (answer === null) return HTTP_UNAUTHORIZED
  if (typeof answer === 'object' && answer.status === 200 && !answer.redirects) {
    log.write(request, 'debug', '', `mod_fcgid: ${word}${of} to access ${request.uri} succeeded`)
    for (const [name, value] of answer.variables) request.env.set(name, value)
    addFields(request, answer)
    return OK
  }
  const isFailure = typeof answer !== 'object'
  const reason = isFailure
    ? `200; error or unexpected condition while parsing response (${answer})`
    : `${answer.status}${answer.status === 200 ? '; internal redirection not allowed' : ''}`
  log.write(
    request,
    'error',
    '',
    `mod_fcgid: ${word}${of} to access ${request.uri} failed, reason: script returned status ${reason}`,
  )
  if (checker.authoritative === false) {
    log.write(request, 'debug', '', 'mod_fcgid: not authoritative')
    return DECLINED
  }
  if (!isFailure) addFields(request, answer)
  const realm = host.functions.get(authNameOf)?.(request) ?? null
  if (role !== 'accessChecker' && realm !== null) noteBasicChallenge(request, realm)
  return isFailure ? answer : HTTP_UNAUTHORIZED
}

function addFields(request: Request, { fields }: Answer): void {
  for (const [name, value] of fields) {
    if (name.toLowerCase() === 'set-cookie') request.errHeadersOut.add(name, value)
    else request.errHeadersOut.merge(name, value)
  }
}

/** @returns a status if there is no answer; null if an explanation must not ask: deny */
async function ask(request: Request, { role, command, password }: Question, parts: FcgidParts): Promise<Answer | Outcome | null> {
  const [name] = ROLES[role]
  const { passHeaders } = parts.serverConfigOf(request.server)
  const shown = { of: `the program ${command.line}`, question: `as ${name}: ${request.method} ${request.uri}` }
  // Only the server knows a password that is assumed.
  if (isAssumedPassword(request, password) || parts.isTool()) {
    request.tracer?.step(request, { kind: 'question', ...shown, answer: null })
    return null
  }
  const found = await askShown(request, {
    ...shown,
    ask: async () => {
      const process = await connectProcess(request, command, parts)
      if (process === null) return { answer: OK }
      if (typeof process !== 'object') return { answer: process }
      const variables = { services: parts.services, passHeaders }
      const params = accessVariables(request, variables, { role: name, password })
      return { answer: await new AnswerReader(request, process, parts.log).read(params) }
    },
    shown: ({ answer }) => (typeof answer === 'object' ? `status ${answer.status}` : 'no answer'),
  })
  // OK stands for a client that has gone: nobody gets what is decided, but it must not be a grant.
  return found === null || found.answer === OK ? null : found.answer
}

/** The password of Basic authentication, or the outcome of a request without one. */
function passwordOf(request: Request, { functions, log }: Host): string | Outcome {
  const type = functions.get(authTypeOf)?.(request) ?? null
  if (type?.toLowerCase() !== 'basic') return DECLINED
  const realm = functions.get(authNameOf)?.(request) ?? null
  if (realm === null) {
    log.write(request, 'error', 'AH00572', `need AuthName: ${request.uri}`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  const field = credentialsField(request)
  const credentials = field === undefined ? null : parseBasicCredentials(field)
  if (credentials === null) {
    if (field !== undefined) log.write(request, 'error', 'AH00573', `client used wrong authentication scheme: ${request.uri}`)
    noteBasicChallenge(request, realm)
    return HTTP_UNAUTHORIZED
  }
  request.user = credentials.user
  request.authType = type
  return credentials.password
}
