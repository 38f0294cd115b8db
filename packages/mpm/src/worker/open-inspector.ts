import inspector from 'node:inspector'

/** A debugger can do whatever this process can do, so only this machine reaches it. */
const HOST = '127.0.0.1'

/**
 * Lets a debugger reach this process.
 * @param port 0 for any. A worker whose predecessor still has the port takes another one.
 * @returns the URL for the debugger
 * @throws the error of the system if no port can be had
 */
export function openInspector(port: number): string {
  inspector.open(port, HOST)
  if (inspector.url() === undefined) inspector.open(0, HOST)
  const url = inspector.url()
  if (url === undefined) throw new Error(`no debugger can be reached at ${HOST}`)
  return url
}
