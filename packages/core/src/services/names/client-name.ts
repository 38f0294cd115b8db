import { type MaybePromise, whenSettled } from '@gatewright/api'
import { ClientName } from '../../model/client-name.ts'
import type { RequestRecord } from '../../model/request-record.ts'
import type { NameService } from './name-service.ts'

/** The object that caches the name lookup of a request's client, created on first use. */
export function clientNameOf(request: RequestRecord): ClientName {
  return knownClientName(request) ?? keep(request)
}

/** The cached name lookup of a request's client, if there was one. */
export function knownClientName(request: RequestRecord): ClientName | null {
  const { connection, useragentAddress } = request
  if (connection.remoteAddress === useragentAddress) return connection.clientName
  const { clientName } = request.original
  return clientName?.address === useragentAddress ? clientName : null
}

function keep(request: RequestRecord): ClientName {
  const { connection, useragentAddress } = request
  const client = new ClientName(useragentAddress)
  if (connection.remoteAddress === useragentAddress) connection.clientName = client
  else request.original.clientName = client
  return client
}

/** The reported name, for logs. A promise only if a name server must be asked. */
export function reportedName(client: ClientName, names: NameService): MaybePromise<string | null> {
  if (client.reported !== undefined) return client.reported
  const name = names.nameOf(client.address)
  if (!(name instanceof Promise)) return (client.reported = name)
  return name.then((found) => (client.reported = found))
}

/**
 * The name by double reverse lookup, or null. A promise only if a name server must be asked.
 * @param wanted false once no request waits for the result: no further query is sent then, and the results so
 * far are ignored
 */
export function provedName(client: ClientName, names: NameService, wanted: () => boolean): MaybePromise<string | null> {
  const reported = reportedName(client, names)
  return reported instanceof Promise ? reported.then(() => prove(client, names, wanted)) : prove(client, names, wanted)
}

/** For `HostnameLookups Double`: the name counts as reported only if it is verified. */
export function onlyProved(client: ClientName, names: NameService): MaybePromise<string | null> {
  const proved = provedName(client, names, ALWAYS)
  return whenSettled(proved, (name) => (client.reported = name))
}

const ALWAYS = (): boolean => true

function prove(client: ClientName, names: NameService, wanted: () => boolean): MaybePromise<string | null> {
  const { reported = null } = client
  if (reported === null) client.proved = false
  if (client.proved !== undefined) return client.proved ? reported : null
  if (reported === null || !wanted()) return null
  const proved = names.leadsTo(reported, client.address)
  if (!(proved instanceof Promise)) return (client.proved = proved) ? reported : null
  return proved.then((holds) => ((client.proved = holds) ? reported : null))
}
