/** The position of a line in the configuration. */
export interface Place {
  readonly file: string
  readonly line: number
}

export function isPlace(value: Partial<Place>): value is Place {
  return value.file !== undefined && value.line !== undefined
}
