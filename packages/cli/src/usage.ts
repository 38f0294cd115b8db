/** The output for -h and for an invalid command line. */
export function usage(program: string): string {
  const indent = ' '.repeat(`Usage: ${program} `.length)
  return [
    `Usage: ${program} [-D name] [-d directory] [-f file]`,
    `${indent}[-C "directive"] [-c "directive"]`,
    `${indent}[-k start|restart|graceful|graceful-stop|stop|upgrade]`,
    `${indent}[-v] [-V] [-h] [-l] [-L] [-t] [-T] [-S] [-X]`,
    'Options:',
    ...LINES.map(([left, right]) => `  ${left.padEnd(19)}: ${right}`),
    '',
  ].join('\n')
}

const LINES: readonly (readonly [left: string, right: string])[] = [
  ['-D name', 'define a name for <IfDefine name>'],
  ['-d directory', 'initial ServerRoot'],
  ['-f file', 'configuration file; a relative name is resolved against ServerRoot'],
  ['-C "directive"', 'apply a directive before the configuration files'],
  ['-c "directive"', 'apply a directive after the configuration files'],
  ['-e level', 'lowest severity of messages printed during the start (see LogLevel)'],
  ['-E file', 'append start-up messages to a file'],
  ['-v', 'print the version'],
  ['-V', 'print the version and the build settings'],
  ['-h', 'print this list of options'],
  ['-l', 'print the built-in modules'],
  ['-L [--json]', 'print all directives with a short description, or as data'],
  ['-t -D DUMP_VHOSTS', 'print the virtual hosts as parsed'],
  ['-t -D DUMP_RUN_CFG', 'print the effective settings'],
  ['-S', 'short for -t -D DUMP_VHOSTS -D DUMP_RUN_CFG'],
  ['-t -D DUMP_MODULES', 'print all loaded modules'],
  ['-M', 'short for -t -D DUMP_MODULES'],
  ['-t -D DUMP_INCLUDES', 'print all configuration files'],
  ['-t', 'check the configuration and exit'],
  ['--htaccess [dir]', 'with -t: check .htaccess files below a folder, or all'],
  ['--lint [--json]', 'with -t: find access rules without the effect that they suggest'],
  ['-T', 'start without checking DocumentRoot'],
  ['-X', 'debug mode: one worker, in the foreground'],
  ['--inspect[=port]', 'with -X: let a debugger of this machine reach the worker'],
]
