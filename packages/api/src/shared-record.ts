/**
 * Numbers and a text of which each process of a configuration has a copy. Changes reach the other processes after a
 * moment, and processes that start later as well.
 * @since 2.4.6
 */
export interface SharedRecord {
  /** The numbers as this process knows them, at first 0. To be read only: see `add` and `set`. */
  readonly numbers: Float64Array
  /** '' at first. */
  readonly text: string
  /** Adds to a number. What several processes add at the same time is summed up. */
  add(index: number, amount: number): void
  /** Replaces a number that is never added to; the latest value counts in all processes. */
  set(index: number, value: number): void
  /** Replaces the text. */
  setText(text: string): void
}

/**
 * What a {@link SharedRecord} consists of. All processes open a record with the same shape.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface SharedRecordShape {
  /** How many numbers it has. */
  readonly numbers: number
  /** Those of which a process takes back what it has added when it ends: figures of what it is doing. */
  readonly ofProcess?: readonly number[]
  /** Whether its text outlasts a reload: the processes of the next configuration that open the record find it. */
  readonly outlastsReload?: boolean
  /**
   * Called after another process has added to a number; not for what was added before this process opened the record.
   * @since 2.4.6
   */
  onAdd?(index: number, amount: number): void
  /** Called after another process has replaced the text, and at the start if one has done so before. */
  onText?(text: string): void
}
