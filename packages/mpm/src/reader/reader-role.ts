import type { AnyModule } from '@gatewright/api'
import { ConfigError, FileSource, productBanner, RecordingSource } from '@gatewright/core'
import { announceLoading } from '../roles/announce-loading.ts'
import { type FromReader, ownMessage, type ReadOrder, type ReadResult } from '../roles/messages.ts'
import { parentChannel } from '../roles/parent-channel.ts'
import type { ConfigReport } from '../start/config-report.ts'
import type { StartOptions } from '../start/start-options.ts'
import { loadStart } from './load-start.ts'
import { logSettings } from './log-settings-of.ts'

/** Reads the configuration once, sends the result, and ends. */
export function runReader(compiledIn: readonly AnyModule[]): void {
  const parent = parentChannel<FromReader>()
  process.once('disconnect', () => process.exit(1))
  announceLoading((file) => parent.send({ type: 'loading', file }))
  process.on('message', (message) => {
    const order = ownMessage<ReadOrder>(message, { read: true })
    if (order === undefined) return
    readStart(order.start, compiledIn).then(
      (result) => parent.sendLast({ type: 'result', result }, 0),
      (error: unknown) => {
        throw error
      },
    )
  })
}

/** Extracts from a start's configuration what other processes need. */
export async function readStart(start: StartOptions, compiledIn: readonly AnyModule[]): Promise<ReadResult> {
  const source = new RecordingSource(new FileSource())
  const reports: ConfigReport[] = []
  try {
    const configuration = await loadStart(start, {
      source,
      compiledIn,
      report: (report) => reports.push(report),
      purpose: 'check',
    })
    return {
      good: true,
      plan: configuration.plan,
      log: logSettings(configuration),
      record: source.record,
      reports,
      hints: configuration.hints(),
      product: productBanner('full'),
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { good: false, lines: error.lines(start.program), reports }
  }
}
