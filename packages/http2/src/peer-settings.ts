import { ConnectionError, ERROR } from './error-codes.ts'
import { FRAME_SIZE, INITIAL_WINDOW, LARGEST, SETTING } from './frames.ts'

/** The settings of the other side of a connection (RFC 9113 section 6.5.2). */
export class PeerSettings {
  headerTableSize = 4096
  enablePush = true
  /** Streams that this side may open. */
  maxConcurrentStreams: number = LARGEST
  initialWindowSize: number = INITIAL_WINDOW
  maxFrameSize: number = FRAME_SIZE

  /**
   * Takes over one setting; unknown ones are ignored.
   * @throws ConnectionError if it is out of range
   */
  set(id: number, value: number): void {
    switch (id) {
      case SETTING.headerTableSize:
        this.headerTableSize = value
        return
      case SETTING.enablePush:
        if (value > 1) throw new ConnectionError(ERROR.protocol, 'SETTINGS: invalid SETTINGS_ENABLE_PUSH')
        this.enablePush = value === 1
        return
      case SETTING.maxConcurrentStreams:
        this.maxConcurrentStreams = value
        return
      case SETTING.initialWindowSize:
        if (value > LARGEST) throw new ConnectionError(ERROR.flowControl, 'SETTINGS: too large SETTINGS_INITIAL_WINDOW_SIZE')
        this.initialWindowSize = value
        return
      case SETTING.maxFrameSize:
        if (value < FRAME_SIZE || value > 0xff_ffff) {
          throw new ConnectionError(ERROR.protocol, 'SETTINGS: invalid SETTINGS_MAX_FRAME_SIZE')
        }
        this.maxFrameSize = value
        return
      default:
    }
  }
}
