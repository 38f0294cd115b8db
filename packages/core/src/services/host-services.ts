import type { HostServices, Request, RetainedData } from '@gatewright/api'
import type { ServerStatus } from '@gatewright/api/status'
import { productBanner } from '../base/product.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { cgiVariables } from './cgi-variables.ts'
import { fileText } from './file-text.ts'
import { inventoryOf } from './inventory.ts'
import type { Logs } from './logs.ts'
import { knownClientName } from './names/index.ts'
import { costliestHash, isTooCostly, tooCostlyMessage } from './password-cost.ts'
import type { ProcessServices } from './process-services.ts'
import { readCookie } from './read-cookie.ts'
import { keptFiles, SearchedFileImpl } from './searched-file.ts'
import type { Secrets } from './secrets.ts'
import { openedOnUse } from './shared-cache.ts'
import { rotatingSecrets, type SharedState } from './shared-state.ts'
import { compileShellPattern } from './shell-pattern.ts'
import { serverSignature } from './signature.ts'
import { watchFile } from './watch-file.ts'

/** The default of LimitXMLRequestBody, in bytes. */
const XML_BODY_LIMIT = 1_000_000

/** What fits into memory even if there is no limit. */
const UNLIMITED_XML_BODY = 100 * 1024 * 1024

/** What modules share with the server's other processes. */
export interface BetweenProcesses {
  readonly collectStatus: () => Promise<ServerStatus>
  readonly secrets: Secrets
  readonly retained: RetainedData
  readonly shared: SharedState
  readonly renewProcesses: () => void
}

/** What compiles expressions that are not in the configuration. */
export interface RuntimeExpressions {
  readonly conditionOfPage: HostServices['condition']
  readonly pattern: HostServices['pattern']
}

/** The services of the host for modules. They are functions without `this`, so that modules may take them apart. */
export function createHostServices(
  configuration: ServerConfiguration,
  logs: Logs,
  { clock, longWork, blocks, names, lookups, accounts, passwords, tasks }: ProcessServices,
  expressions: RuntimeExpressions,
  { collectStatus, secrets, retained, shared, renewProcesses }: BetweenProcesses,
): HostServices {
  const { process } = configuration
  const searching = { clock, work: longWork, blocks, kept: keptFiles() }
  return {
    verifyPassword: (stored, password, request, decoy) => {
      if (isTooCostly(stored)) logs.core.write(request, 'error', '', tooCostlyMessage(request.user))
      return passwords.verify(stored, password, { wanted: isWaiting(request), decoy })
    },
    refusePassword: (decoy, password, request) => passwords.refuse(decoy, password, isWaiting(request)),
    costliestHash,
    remoteHost: (request) => lookups.remoteHost(RequestRecord.of(request)),
    knownRemoteHost: (request) => knownClientName(RequestRecord.of(request))?.reported ?? null,
    userName: (uid) => accounts.userName(uid),
    groupName: (gid) => accounts.groupName(gid),
    homeFolder: (user) => accounts.homeFolder(user),
    addressesOf: (name) => names.addressesOf(name),
    resolveAddress: (text) => names.resolve(text),
    shellPattern: compileShellPattern,
    watchFile: (paths, parse) => watchFile(clock, paths, parse),
    searchFile: (path, reader) => new SearchedFileImpl(path, reader, searching),
    fileText: (path, limit) => fileText(path, limit, blocks),
    openLog: (target) => logs.open(target),
    secret: (name) => secrets.of(name),
    retained,
    rotatingSecrets: (name) => rotatingSecrets(shared, name),
    sharedStore: (name, limit) => shared.store(name, limit),
    shared: (name, limit) => openedOnUse(() => process.sharedCache?.(name) ?? shared.store(name, limit)),
    sharedRecord: (name, shape) => shared.record(name, shape),
    inOneProcess: (start) => tasks.add(start),
    renewProcesses,
    inheritConnections: (name, heir) => shared.inheritConnections(name, heir),
    status: collectStatus,
    condition: (source, own) => expressions.conditionOfPage(source, own),
    pattern: (source, flags) => expressions.pattern(source, flags),
    inventory: () => {
      configuration.keptLines ??= []
      return () => inventoryOf(configuration)
    },
    cgiVariables: (request) => cgiVariables(RequestRecord.of(request), process.serverTokens),
    readCookie: (request, name, { remove }) => readCookie(RequestRecord.of(request), name, remove, logs.core),
    programSettings: (request) => {
      const { cpuLimit, memoryLimit, processLimit, acceptPathInfo } = RequestRecord.of(request).config.core
      return {
        cpu: cpuLimit ?? null,
        memory: memoryLimit ?? null,
        processes: processLimit ?? null,
        pathInfo: acceptPathInfo ?? 'default',
      }
    },
    xmlBodyLimit: (request) => {
      const limit = RequestRecord.of(request).config.core.limitXmlRequestBody ?? XML_BODY_LIMIT
      return limit === 0 ? UNLIMITED_XML_BODY : limit
    },
    logXmlRefused: (request, code, text) => logs.core.write(request, 'error', code, text),
    serverBanner: () => productBanner(process.serverTokens),
    serverSignature: (request, prefix) => serverSignature(RequestRecord.of(request), prefix, process.serverTokens),
  }
}

/** Whether the client of a request still waits for its response. */
function isWaiting(request: Request): () => boolean {
  const { exchange } = RequestRecord.of(request).original
  return () => exchange?.aborted !== true
}
