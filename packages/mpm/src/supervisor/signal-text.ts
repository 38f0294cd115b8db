/** How APR describes the signals that end a process, for AH00052. */
const TEXTS: Readonly<Partial<Record<NodeJS.Signals, string>>> = {
  SIGABRT: 'Aborted',
  SIGBUS: 'Bus error',
  SIGFPE: 'Floating point exception',
  SIGHUP: 'Hangup',
  SIGILL: 'Illegal instruction',
  SIGINT: 'Interrupt',
  SIGKILL: 'Killed',
  SIGQUIT: 'Quit',
  SIGSEGV: 'Segmentation fault',
  SIGTERM: 'Terminated',
  SIGTRAP: 'Trace/breakpoint trap',
  SIGXCPU: 'CPU time limit exceeded',
}

export function signalText(signal: NodeJS.Signals): string {
  return TEXTS[signal] ?? signal
}
