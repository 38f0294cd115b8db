import { availableParallelism } from 'node:os'
import type { ProcessConfig } from '../model/process-config.ts'
import { FileBlocks } from './file-blocks.ts'
import type { Logs } from './logs.ts'
import { LongWork } from './long-work.ts'
import { ModuleTasks } from './module-tasks.ts'
import { NameService, type NameSettings } from './names/index.ts'
import { NameLookups } from './names/name-lookups.ts'
import { PasswordPool } from './passwords.ts'
import { SystemAccounts } from './system-accounts.ts'
import { TurnClock, watchFile } from './watch-file.ts'

/** What core and the modules share in one process: names, accounts, passwords, long work, and the files they read. */
export class ProcessServices {
  readonly clock: TurnClock = new TurnClock()
  readonly longWork: LongWork = new LongWork()
  readonly blocks: FileBlocks = new FileBlocks(this.longWork)
  readonly names: NameService
  readonly lookups: NameLookups
  readonly accounts: SystemAccounts = new SystemAccounts((paths, parse) => watchFile(this.clock, paths, parse))
  readonly passwords: PasswordPool = new PasswordPool({ size: Math.min(2, Math.max(1, availableParallelism() - 1)) })
  readonly tasks: ModuleTasks

  constructor(process: ProcessConfig, names: NameSettings, { core, closing }: Logs) {
    this.names = new NameService(names, this.clock, (text) => core.write(null, 'warn', '', text))
    closing.push(() => this.names.close())
    this.lookups = new NameLookups(this.names, process)
    this.tasks = new ModuleTasks((text) => core.write(null, 'crit', '', text))
  }
}
