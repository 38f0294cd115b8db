import { readFileSync } from 'node:fs'

/**
 * One processor for the server and one for the client, among those available to this process.
 * @throws {Error} if there is only one, which both would have to share
 */
export function pickCores() {
  const allowed = readFileSync('/proc/self/status', 'latin1').match(/^Cpus_allowed_list:\s*(.*)$/m)
  const [server, client] = parseCores(allowed[1])
  if (client === undefined) throw new Error('two processors are needed, one for the server and one for the client')
  return { server, client }
}

/** The numbers of a list like 0-2,8. */
export function parseCores(list) {
  return list.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
