import { announceLoading } from '@gatewright/mpm/reader'

/**
 * Reads a configuration in this process. A module that ends the process would make a check appear successful:
 * in that case the file being loaded is reported, and the exit status is 1.
 */
export async function guardReading<T>(program: string, read: () => Promise<T>, print: (line: string) => void): Promise<T> {
  let loading: string | null = null
  announceLoading((file) => {
    loading = file
  })
  const ended = (status: number): void => {
    const place = loading === null ? '' : `, while or after loading ${loading}`
    print(`${program}: the process ended with status ${status} before the configuration was read${place}`)
    print('hint: a module must not end the process: remove its LoadModule line, or contact its author')
    process.exitCode = 1
  }
  process.once('exit', ended)
  try {
    return await read()
  } finally {
    process.removeListener('exit', ended)
  }
}
