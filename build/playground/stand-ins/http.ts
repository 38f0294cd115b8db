/** The list is of use to modules that write requests of their own. */
export const STATUS_CODES: Readonly<Record<string, string>> = {}

/** Keeps no connection: a page sends no requests. */
export class Agent {
  destroy(): void {}
}
