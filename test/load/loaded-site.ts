import { join } from 'node:path'
import { buildModule } from '@gatewright/module-kit'
import { MODULES, type StagedServer } from '../fixtures/staged-server.ts'
import { LARGE, SMALL } from './resource.ts'

/** The access log of the site: the request line, which has the request's id, and the status. */
export const ACCESS_LOG = 'logs/access_log'

const WITNESS = join(import.meta.dirname, '../fixtures/mod_witness/src/index.ts')

/** Writes the requested files, and builds the module that reports the answering process. */
export async function prepareSite(server: StagedServer): Promise<void> {
  for (const { path, body } of [SMALL, LARGE]) server.file(`htdocs${path}`, body)
  await buildModule({ entry: WITNESS, outFile: server.path('modules/mod_witness.mjs') })
}

/**
 * The configuration that the clients need, without a log. KeepAliveTimeout fits their pauses. The connection ends with
 * the answer after the 101st: the number is even, so that no pair of pipelined requests is split.
 */
export const SITE: readonly string[] = [
  `LoadModule authz_core_module ${join(MODULES, 'mod_authz_core.so')}`,
  'LoadModule witness_module modules/mod_witness.so',
  '<Location />',
  'Require all granted',
  '</Location>',
  'KeepAliveTimeout 2',
  'MaxKeepAliveRequests 101',
]

/** The line that writes {@link ACCESS_LOG}. */
export const LOGGED: string = `CustomLog ${ACCESS_LOG} "%r %>s"`
