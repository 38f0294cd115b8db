import type { InjectedResponse } from '@gatewright/core'

/**
 * The reason phrase of a status. Node's own list is not used: importing node:http takes half of the start
 * time.
 */
export function reasonPhrase({ statusLine }: InjectedResponse): string {
  return statusLine.split(' ').slice(2).join(' ')
}
