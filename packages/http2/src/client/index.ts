export { ClientSession, type ClientWire } from './client-session.ts'
export { type ClientListener, ClientStream } from './client-stream.ts'
export type { ResponseBlock } from './response-block.ts'
export { SessionFault, type SessionFaultKind } from './session-fault.ts'
