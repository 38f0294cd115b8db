import { errorMessage } from '../base/error-text.ts'
import { productBanner } from '../base/product.ts'
import { ErrorAnswers } from '../lifecycle/error-answer.ts'
import { RequestEnd } from '../lifecycle/finish.ts'
import { ForeignRequests } from '../lifecycle/foreign-requests.ts'
import { HookRows } from '../lifecycle/hook-rows.ts'
import { InternalRedirects } from '../lifecycle/internal-redirect.ts'
import { createLifecycle } from '../lifecycle/lifecycle.ts'
import { RefusalNotes } from '../lifecycle/refusal-notes.ts'
import { RequestBodies } from '../lifecycle/request-bodies.ts'
import { RequestServices } from '../lifecycle/request-services.ts'
import { VoidHook } from '../lifecycle/run-void-hook.ts'
import { compileSequences } from '../lifecycle/sequences.ts'
import { RequestServer } from '../lifecycle/serve-request.ts'
import { Subrequests } from '../lifecycle/subrequests.ts'
import type { Upgrades } from '../lifecycle/upgrade.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { FilterChain } from '../response/filter-chain.ts'
import { HeadWriter } from '../response/head.ts'
import { ImageSender } from '../response/image-sender.ts'
import { Responder } from '../response/responder.ts'
import { WalkMemory } from '../sections/walk-memory.ts'
import { FileCache } from '../services/file-cache.ts'
import { FileDigests } from '../services/file-digests.ts'
import { serverSignature } from '../services/signature.ts'
import { ValidatorCache } from '../services/validator-cache.ts'
import { StatusKeeper } from '../status/status-keeper.ts'
import { ConnectionAdapter } from './connection-adapter.ts'
import type { Services } from './create-services.ts'
import type { WalkParts } from './create-walk.ts'
import { ExchangeAdapter } from './exchange-adapter.ts'
import { HttpHost } from './http-host.ts'
import { Http2Starter } from './http2-starter.ts'
import { Http2Upgrades } from './http2-upgrades.ts'
import { openLayers } from './open-layers.ts'
import { SpokenProtocols } from './spoken-protocols.ts'

/**
 * Assembles everything that serves requests by one configuration.
 * @param decidingByRequest source names of the modules whose access function may base its decision on the
 * request
 */
export function createHttpHost(
  configuration: ServerConfiguration,
  services: Services,
  { walk, turns }: WalkParts,
  decidingByRequest: readonly string[],
): HttpHost {
  const { functions, process } = configuration
  const { lists } = configuration.hooks
  const log = services.logs.core
  const httpLog = services.logs.errors.forModule({ shortName: 'http', source: 'http_filters.c' })

  const cache = new FileCache()
  const digests = new FileDigests(cache, services.process.blocks)
  const filters = new FilterChain(cache, log)
  const refusals = new RefusalNotes(log, httpLog)
  const bodies = new RequestBodies(refusals)
  const files = { stats: walk.stats, files: cache, digests, validators: new ValidatorCache(digests), bodies, log }
  const errors = new ErrorAnswers((request) => serverSignature(request, '<hr>\n', process.serverTokens), log)
  const status = new StatusKeeper(process.extendedStatus ?? configuration.registry.find('status_module') !== undefined)
  const heads = new HeadWriter(productBanner(process.serverTokens))
  const images = new ImageSender(heads)
  const responder = new Responder(heads, cache, log)

  const http2Log = services.logs.errors.forModule({ shortName: 'http2', source: 'h2_session.c' })
  const http2 = new Http2Starter(functions, http2Log)
  const spoken = new SpokenProtocols(configuration.providers, log)
  const http2Upgrades = new Http2Upgrades(http2, functions)
  const upgrades: Upgrades = {
    switchFor: (request, offers) => http2Upgrades.switchFor(request, offers) ?? spoken.switchFor(request, offers),
  }
  const memoryWithout = new WalkMemory('configuration')
  const rows = new HookRows(configuration.hooks, log)
  const lifecycle = createLifecycle({
    hooks: rows,
    functions,
    challenge: lists.noteAuthFailure.sorted(),
    names: services.process.lookups,
    memory: decidingByRequest.length === 0 ? memoryWithout : new WalkMemory('name'),
    memoryWithout,
    decidingByRequest,
    conditionsLookUp: services.config.conditionsLookUp,
    files,
    upgrades,
    errors,
    bodies,
    delivery: { filters, images, responder, errors, log, httpLog },
    tally: status.tally,
    cleanupFailed: (request, error) => log.write(request, 'crit', '', `a cleanup failed: ${errorMessage(error)}`),
    log,
  })
  const sequences = compileSequences(lifecycle.phases)
  const end = new RequestEnd(lifecycle.afterwards)
  const isClosed = (): boolean => configuration.lateRegistration !== null
  const requests = new RequestServer({ sequences, errors, refusals, end, log, isClosed })

  const requestHost = new RequestServices({
    redirects: new InternalRedirects(requests, sequences, log),
    end,
    subrequests: new Subrequests({ sequences, filters, files: cache, stats: walk.stats, methods: configuration.methods, log }),
    foreign: new ForeignRequests({ sequences, handlers: rows.runner('handler'), methods: configuration.methods, log }),
    bodies,
    providers: configuration.providers,
    files,
    turns,
    log,
  })
  const preConnection = new VoidHook('preConnection', lists.preConnection.sorted(), log)
  const connections = new ConnectionAdapter({ configuration, preConnection, log })
  const exchanges = new ExchangeAdapter({ methods: configuration.methods, requestHost, requests, places: status.places, log })
  return new HttpHost({
    services,
    connections,
    exchanges,
    layer: openLayers(configuration.providers, http2, spoken, log),
    http2,
    spoken,
    lifecycle,
    status,
  })
}
