import type { CookieWords } from '@gatewright/api/text'

/** The labels of the statements that keep sessions, by what they do. */
export const LABELS = {
  select: { directive: 'SessionDBDSelectLabel', standard: 'selectsession' },
  insert: { directive: 'SessionDBDInsertLabel', standard: 'insertsession' },
  update: { directive: 'SessionDBDUpdateLabel', standard: 'updatesession' },
  delete: { directive: 'SessionDBDDeleteLabel', standard: 'deletesession' },
} as const

/** What a statement does. */
export type Task = keyof typeof LABELS

/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface SessionDbdConfig {
  /** Labels of the statements. */
  labels?: Readonly<Partial<Record<Task, string>>>
  /** SessionDBDCookieName. */
  cookie?: CookieWords
  /** SessionDBDCookieName2. */
  cookie2?: CookieWords
  /** SessionDBDCookieRemove. */
  remove?: boolean
  /** SessionDBDPerUser. */
  perUser?: boolean
}

export function mergeConfig(base: Readonly<SessionDbdConfig>, over: Readonly<SessionDbdConfig>): SessionDbdConfig {
  return {
    labels: { ...base.labels, ...over.labels },
    cookie: over.cookie ?? base.cookie,
    cookie2: over.cookie2 ?? base.cookie2,
    remove: over.remove ?? base.remove,
    perUser: over.perUser ?? base.perUser,
  }
}
