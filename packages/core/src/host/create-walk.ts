import { StatCache } from '../base/file-info.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { ServerRecord } from '../model/server-record.ts'
import { DirectoryTree } from '../sections/directory-tree.ts'
import type { WalkContext } from '../sections/directory-walk.ts'
import { HtaccessCache } from '../sections/htaccess.ts'
import { TurnQueue } from '../work/turn-queue.ts'
import type { LoadOptions } from './contract.ts'
import type { Services } from './create-services.ts'

/** The parts of the walk through folders and files, which it shares with others. */
export interface WalkParts {
  readonly walk: WalkContext
  readonly turns: TurnQueue
}

export function createWalk(configuration: ServerConfiguration, { logs, config }: Services, options: LoadOptions): WalkParts {
  const trees = new Map<ServerRecord, DirectoryTree>()
  const turns = new TurnQueue(options.loopClock)
  const walk: WalkContext = {
    stats: new StatCache(options.assumed),
    htaccess: new HtaccessCache(configuration, config, turns, options.assumed?.accessFiles),
    log: logs.core,
    conditionsLookUp: config.conditionsLookUp,
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
