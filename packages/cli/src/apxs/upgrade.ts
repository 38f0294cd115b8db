import type { ApxsConsole } from './console.ts'
import { CommandFailure } from './failure.ts'
import type { Installation } from './installation.ts'
import { type CheckOptions, type Toolchain, upgradeGuide } from './toolchain.ts'

/**
 * `apxs -c --upgrade`: makes the mechanical changes for upgrading from the API of 2.2, and lists the
 * remaining ones.
 * @throws if any remain
 */
export function upgradeModule(kit: Toolchain, sources: CheckOptions, installation: Installation, console: ApxsConsole): void {
  const result = kit.upgradeSources(sources)
  console.err(kit.upgradeReport(result, process.cwd()))
  if (result.remaining.length > 0) throw new CommandFailure([], `UPGRADING.md is ${upgradeGuide(installation.build)}`)
}
