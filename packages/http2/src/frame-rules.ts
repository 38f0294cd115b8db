import { ConnectionError, ERROR } from './error-codes.ts'
import { FLAG, LARGEST } from './frames.ts'

/** The length and stream that frames of the connection must have, on both sides (RFC 9113 section 6). */

/** @throws ConnectionError for a SETTINGS frame that is not one. @returns whether it acknowledges settings */
export function isAcknowledgement(flags: number, stream: number, length: number): boolean {
  if (stream !== 0) throw protocolError('SETTINGS: stream_id != 0')
  if ((flags & FLAG.ack) !== 0) {
    if (length !== 0) throw new ConnectionError(ERROR.frameSize, 'SETTINGS: ACK and payload != 0')
    return true
  }
  if (length % 6 !== 0) throw new ConnectionError(ERROR.frameSize, 'SETTINGS: wrong length')
  return false
}

/** @throws ConnectionError */
export function checkPing(stream: number, length: number): void {
  if (length !== 8) throw new ConnectionError(ERROR.frameSize, 'PING: wrong length')
  if (stream !== 0) throw protocolError('PING: stream_id != 0')
}

/** @throws ConnectionError */
export function checkGoaway(stream: number, length: number): void {
  if (length < 8) throw new ConnectionError(ERROR.frameSize, 'GOAWAY: wrong length')
  if (stream !== 0) throw protocolError('GOAWAY: stream_id != 0')
}

/** @throws ConnectionError */
export function checkRstStream(length: number): void {
  if (length !== 4) throw new ConnectionError(ERROR.frameSize, 'RST_STREAM: wrong length')
}

/** The bytes by which a WINDOW_UPDATE frame opens a window; 0 is an error of the protocol. @throws ConnectionError */
export function windowIncrement(bytes: Buffer, start: number, end: number): number {
  if (end - start !== 4) throw new ConnectionError(ERROR.frameSize, 'WINDOW_UPDATE: wrong length')
  return bytes.readUInt32BE(start) & LARGEST
}

/** What a window of the connection is after it has opened. @throws ConnectionError if it is too large, or nothing was added */
export function openedWindow(window: number, count: number): number {
  checkIncrement(count)
  if (window + count > LARGEST) throw new ConnectionError(ERROR.flowControl, 'WINDOW_UPDATE: too large')
  return window + count
}

/** @throws ConnectionError if a window is opened by nothing */
export function checkIncrement(count: number): void {
  if (count === 0) throw protocolError('WINDOW_UPDATE: window_size_increment == 0')
}

/** An error that ends the connection with PROTOCOL_ERROR. */
export function protocolError(text: string): ConnectionError {
  return new ConnectionError(ERROR.protocol, text)
}
