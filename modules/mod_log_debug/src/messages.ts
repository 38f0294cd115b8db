import type { Condition, HookTypes, RequestHook, Text } from '@gatewright/api'

/** The hooks of a request by the names that LogMessage has for them, and the hook of this server for each. */
export const HOOKS_OF_MESSAGES: ReadonlyMap<RequestMessageHook, RequestHookName> = new Map([
  // A quick handler runs before the URL is translated, with the configuration of the server alone.
  ['quick_handler', 'postReadRequest'],
  ['pre_translate_name', 'preTranslateName'],
  ['translate_name', 'translateName'],
  ['map_to_storage', 'mapToStorage'],
  ['check_access', 'accessChecker'],
  ['check_access_ex', 'accessCheckerEx'],
  ['check_authn', 'checkUserId'],
  ['check_authz', 'authChecker'],
  ['type_checker', 'typeChecker'],
  ['fixups', 'fixups'],
  ['handler', 'handler'],
])

type RequestHookName = {
  [K in keyof HookTypes]: HookTypes[K] extends RequestHook ? (RequestHook extends HookTypes[K] ? K : never) : never
}[keyof HookTypes]

type RequestMessageHook =
  | 'quick_handler'
  | 'pre_translate_name'
  | 'translate_name'
  | 'map_to_storage'
  | 'check_access'
  | 'check_access_ex'
  | 'check_authn'
  | 'check_authz'
  | 'type_checker'
  | 'fixups'
  | 'handler'

/** A hook at which a message can be written. */
export type MessageHook = RequestMessageHook | 'insert_filter' | 'log_transaction'

/** A LogMessage line. */
export interface Message {
  readonly text: Text
  readonly condition: Condition | null
  readonly hook: MessageHook | 'all'
  readonly file: string
  readonly line: number
}

export interface LogDebugConfig {
  readonly messages: Message[]
}
