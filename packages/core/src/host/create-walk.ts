import { StatCache } from '../base/file-info.ts'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { ServerRecord } from '../model/server-record.ts'
import { DirectoryTree } from '../sections/directory-tree.ts'
import type { WalkContext } from '../sections/directory-walk.ts'
import { HtaccessCache } from '../sections/htaccess.ts'
import { TurnQueue } from '../work/turn-queue.ts'
import type { LoadOptions } from './contract.ts'

/** The parts of the walk through folders and files, which it shares with others. */
export interface WalkParts {
  readonly walk: WalkContext
  readonly turns: TurnQueue
}

export function createWalk(configuration: ServerConfiguration, services: ConfigServicesImpl, options: LoadOptions): WalkParts {
  const trees = new Map<ServerRecord, DirectoryTree>()
  const turns = new TurnQueue(options.loopClock)
  const walk: WalkContext = {
    stats: new StatCache(options.assumed),
    htaccess: new HtaccessCache(configuration, services, turns, options.assumed?.accessFiles),
    log: services.coreLog,
    conditionsLookUp: services.conditionsLookUp,
    tree: ({ server }) => {
      let tree = trees.get(server)
      if (tree === undefined) {
        tree = new DirectoryTree(server)
        trees.set(server, tree)
      }
      return tree
    },
  }
  return { walk, turns }
}
