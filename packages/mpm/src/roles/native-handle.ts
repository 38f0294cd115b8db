import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * A connection below its socket. Node passes these between processes as they are: nobody reads the connection on the way,
 * as a Socket would, so what arrives meanwhile is left to the last process. Node documents Socket only; this file alone
 * uses handles.
 */
export interface NativeHandle {
  /** Closes it in this process; the connection stays open while another one has it. */
  close(): void
  readStop(): void
}

export function isNativeHandle(value: unknown): value is NativeHandle {
  if (typeof value !== 'object' || value === null) return false
  return 'close' in value && typeof value.close === 'function' && 'readStop' in value && typeof value.readStop === 'function'
}

/** The handle of a socket in the clear, which is not read any more; null if it has none. */
export function unreadHandleOf(socket: Socket): NativeHandle | null {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (!isNativeHandle(handle)) return null
  handle.readStop()
  return handle
}

/** A socket for a handle that another process has sent; it is read from the next turn of the event loop on. */
export function socketOf(handle: NativeHandle): Socket | null {
  const socket: unknown = Reflect.construct(Socket, [{ handle, allowHalfOpen: true, readable: true, writable: true }])
  return socket instanceof Socket ? socket : null
}

/** Sends a message with a handle. @param done called when it was passed to the system, or cannot be */
export function sendHandle(
  send: NonNullable<ChildProcess['send']>,
  message: object,
  handle: NativeHandle,
  done: () => void,
): void {
  Reflect.apply(send, undefined, [message, handle, {}, done])
}
