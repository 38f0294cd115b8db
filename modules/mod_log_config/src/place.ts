/** Where a line of the configuration stands. */
export interface Place {
  readonly file: string
  readonly line: number
}

export function isPlace(value: Partial<Place>): value is Place {
  return value.file !== undefined && value.line !== undefined
}

/** An error that is found after all was read, told as if it had been found at its line. */
export function placeError({ file, line }: Place, message: string): string {
  return `AH00526: Syntax error on line ${line} of ${file}:\n${message}`
}
