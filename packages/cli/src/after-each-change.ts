import { WatchedFolders } from './watched-folders.ts'

/**
 * Runs a task now, and again after every change in some folders, until SIGINT or SIGTERM ends it. Changes during a run
 * cause one more run.
 * @param tops absolute, one character for each byte
 * @param below all folders below one of them that are watched as well
 */
export async function afterEachChange(
  tops: readonly string[],
  below: (top: string) => Iterable<string>,
  task: () => Promise<void>,
): Promise<void> {
  let wake = (): void => undefined
  let isDue = true
  let isOver = false
  const watching = new WatchedFolders(tops, below, () => {
    isDue = true
    wake()
  })
  const end = (): void => {
    isOver = true
    wake()
  }
  process.once('SIGINT', end).once('SIGTERM', end)
  try {
    while (!isOver) {
      if (isDue) {
        isDue = false
        await task()
        continue
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    watching.close()
    process.off('SIGINT', end).off('SIGTERM', end)
  }
}
