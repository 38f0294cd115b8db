import type { Appetite, Persistence } from './client-connection.ts'
import { DENIED, FORGETFUL, MALFORMED, MEMBER, MISSING, PART, STRANGER } from './guarded.ts'
import { LARGE, type Resource, SLOW, SMALL, UPLOAD } from './resource.ts'

/** How one kind of client behaves. */
export interface Habit {
  readonly resource: Resource
  /** Requests that are sent with one write. */
  readonly together: number
  readonly persistence: Persistence
  readonly appetite: Appetite
  /** Milliseconds between answers and next requests, one after the other, over and over. */
  readonly pauses: readonly number[]
}

const PLAIN: Habit = { resource: SMALL, together: 1, persistence: 'keep', appetite: 'hungry', pauses: [0] }

export const KINDS = [
  'closing',
  'busy',
  'pausing',
  'sleeping',
  'pipelining',
  'waiting',
  'downloading',
  'uploading',
  'member',
  'stranger',
  'forgetful',
  'denied',
  'missing',
  'malformed',
  'ranging',
] as const

export type Kind = (typeof KINDS)[number]

/** Kinds of clients; a connection is kept unless the client or the server closes it. */
export const HABITS: Readonly<Record<Kind, Habit>> = {
  /** A new connection for each request. */
  closing: { ...PLAIN, persistence: 'close', pauses: [0, 5] },
  /** One request after the other. */
  busy: PLAIN,
  /** Pauses shorter and longer than a reload, and shorter than KeepAliveTimeout. */
  pausing: { ...PLAIN, pauses: [20, 150, 400, 1100] },
  /** Pauses longer than KeepAliveTimeout: the server has ended the connection meanwhile. */
  sleeping: { ...PLAIN, pauses: [0, 10, 2800] },
  /** Two requests at a time. */
  pipelining: { ...PLAIN, together: 2, pauses: [0, 0, 0, 30] },
  /** Answers that take longer than a reload. */
  waiting: { ...PLAIN, resource: SLOW, pauses: [10] },
  /** A large file, read slowly. */
  downloading: { ...PLAIN, resource: LARGE, appetite: 'slow', pauses: [30] },
  /** A request whose body arrives in pieces. */
  uploading: { ...PLAIN, resource: UPLOAD, pauses: [20] },
  /** The others need the configuration GUARDED. */
  member: { ...PLAIN, resource: MEMBER, pauses: [0, 10] },
  stranger: { ...PLAIN, resource: STRANGER, pauses: [10] },
  forgetful: { ...PLAIN, resource: FORGETFUL, pauses: [50] },
  denied: { ...PLAIN, resource: DENIED, pauses: [5] },
  missing: { ...PLAIN, resource: MISSING, pauses: [5] },
  malformed: { ...PLAIN, resource: MALFORMED, pauses: [20] },
  ranging: { ...PLAIN, resource: PART, pauses: [10] },
}

/** How many clients there are of each kind. */
export type Mix = Readonly<Partial<Record<Kind, number>>>

/** Some of every kind that needs nothing but the site. */
export const WHOLE_MIX: Mix = {
  closing: 3,
  busy: 4,
  pausing: 12,
  sleeping: 4,
  pipelining: 3,
  waiting: 4,
  downloading: 3,
  uploading: 3,
}

/** Some of every kind. */
export const EVERYTHING: Mix = {
  ...WHOLE_MIX,
  member: 2,
  stranger: 1,
  forgetful: 1,
  denied: 2,
  missing: 1,
  malformed: 2,
  ranging: 2,
}

/** The maximum number of concurrent requests of a mix. */
export function mostUnderWay(mix: Mix): number {
  return KINDS.reduce((sum, kind) => sum + (mix[kind] ?? 0) * HABITS[kind].together, 0)
}
