/**
 * One directive or container of the configuration as it was read: names and texts, not yet bound to anything.
 */
export interface ConfigNode {
  /** As typed; a container's begins with `<`. */
  readonly name: string
  /** The rest of the line, quotes untouched. For a container up to the end of the line, `>` included. */
  readonly text: string
  readonly file: string
  readonly line: number
  readonly parent: ConfigNode | null
  /** Children of a container, in order; null for a directive. */
  readonly children: ConfigNode[] | null
}

/**
 * Line of a file in which something is wrong, and what. `nested` places are those of the Include lines that
 * led there.
 */
export interface Place {
  readonly file: string
  readonly line: number
}
