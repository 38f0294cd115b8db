type Callback = (error: unknown, value?: unknown) => void

export function promisify(act: (...values: unknown[]) => void): (...values: unknown[]) => Promise<unknown> {
  return (...values) =>
    new Promise((resolve, reject) => {
      const done: Callback = (error, value) => (error === null || error === undefined ? resolve(value) : reject(error))
      act(...values, done)
    })
}

export function inspect(value: unknown): string {
  return String(value)
}

/** A text for a system error's number. */
export function getSystemErrorMessage(errno: number): string {
  return `system error ${errno}`
}

export function getSystemErrorName(errno: number): string {
  return `E${-errno}`
}

/** The errors of the files in a page, by number. */
export function getSystemErrorMap(): Map<number, [string, string]> {
  return new Map()
}
