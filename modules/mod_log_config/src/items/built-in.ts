import type { HostServices } from '@gatewright/api'
import type { ItemDefinition } from '../compile-format.ts'
import { connectionItems } from './connection-items.ts'
import { headerItems } from './header-items.ts'
import { requestItems } from './request-items.ts'
import { responseItems } from './response-items.ts'
import { timeItems } from './time-items.ts'

/** The items of this module, in a map to which other modules may add items. */
export function builtInItems(services: Pick<HostServices, 'knownRemoteHost'>): Map<string, ItemDefinition> {
  return new Map([...connectionItems(services), ...requestItems, ...headerItems, ...responseItems, ...timeItems])
}
