import type { AnyModule } from '@gatewright/api'

/** All modules by the name of their file. The bundle has its own list in the place of this one. */
export const LINKED: ReadonlyMap<string, AnyModule> = new Map()
