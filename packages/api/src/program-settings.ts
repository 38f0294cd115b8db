/**
 * A limit of the system for a process.
 * @since 2.4.6
 */
export interface ResourceLimit {
  /** The limit in force; `max` for the hard limit. */
  readonly soft: number | 'max'
  /** The limit up to which the process itself may raise it; `max` for that of the server, null if it is not set. */
  readonly hard: number | 'max' | null
}

/**
 * Settings of the server for programs.
 * @since 2.4.6
 */
export interface ProgramSettings {
  /** RLimitCPU, seconds; null for none. */
  readonly cpu: ResourceLimit | null
  /** RLimitMEM, bytes of the address space; null for none. */
  readonly memory: ResourceLimit | null
  /** RLimitNPROC, processes of the user; null for none. */
  readonly processes: ResourceLimit | null
  /** AcceptPathInfo; `default` leaves the decision to the handler. */
  readonly pathInfo: 'on' | 'off' | 'default'
}
