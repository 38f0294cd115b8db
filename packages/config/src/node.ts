/**
 * One directive or container of the configuration as it was read: names and texts, not yet bound to anything.
 */
export interface ConfigNode {
  /** As typed; the name of a container begins with `<`. */
  readonly name: string
  /** The rest of the line with its quotes; for a container, up to the end of the line including `>`. */
  readonly text: string
  readonly file: string
  readonly line: number
  readonly parent: ConfigNode | null
  /** Children of a container, in order; null for a directive. */
  readonly children: ConfigNode[] | null
}

/**
 * The line of a file that contains an error, and the error. `nested` places are those of the Include lines
 * that led to the file.
 */
export interface Place {
  readonly file: string
  readonly line: number
}
