import { connect } from 'node:net'

/** Where connections are tried. */
export interface ConnectionTarget {
  readonly host: string
  readonly port: number
}

/** Whether a program accepts connections there. */
export function acceptsConnections({ host, port }: ConnectionTarget): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
