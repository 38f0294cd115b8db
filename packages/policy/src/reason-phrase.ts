import type { InjectedResponse } from '@gatewright/core'

/** What the server says beside the number of a status. Node's own list is not asked: importing node:http costs half of a start. */
export function reasonPhrase({ statusLine }: InjectedResponse): string {
  return statusLine.split(' ').slice(2).join(' ')
}
