import type { Request, Transaction } from '@gatewright/api'
import { fakeRequest } from '../../mod_env/test/fakes/request.ts'

/** A transaction with default values, except for the given ones. */
export function fakeTransaction(changes: Partial<Transaction> & { readonly request?: Request } = {}): Transaction {
  const request = changes.request ?? fakeRequest()
  return {
    original: request,
    final: request,
    bodyBytesSent: 6,
    endedAt: request.receivedAt + 1234.567,
    durationUs: 1_234_567,
    firstByteUs: 104,
    keptAlive: true,
    logId: null,
    connectionLogId: null,
    responseHeader: () => [],
    requestTrailer: () => undefined,
    responseTrailer: () => undefined,
    ...changes,
  }
}
