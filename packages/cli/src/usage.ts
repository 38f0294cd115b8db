/** What -h prints, and every mistake on the command line. */
export function usage(program: string): string {
  const indent = ' '.repeat(`Usage: ${program} `.length)
  return [
    `Usage: ${program} [-D name] [-d directory] [-f file]`,
    `${indent}[-C "directive"] [-c "directive"]`,
    `${indent}[-k start|restart|graceful|graceful-stop|stop]`,
    `${indent}[-v] [-V] [-h] [-l] [-L] [-t] [-T] [-S] [-X]`,
    'Options:',
    ...LINES.map(([left, right]) => `  ${left.padEnd(19)}: ${right}`),
    '',
  ].join('\n')
}

const LINES: readonly (readonly [left: string, right: string])[] = [
  ['-D name', 'set a name that <IfDefine name> asks for'],
  ['-d directory', 'begin with this ServerRoot'],
  ['-f file', 'read this configuration file; a relative name is below ServerRoot'],
  ['-C "directive"', 'apply a directive before the configuration files'],
  ['-c "directive"', 'apply a directive after the configuration files'],
  ['-e level', 'least severe messages to print while starting (see LogLevel)'],
  ['-E file', 'append messages of the start to a file'],
  ['-v', 'print the version'],
  ['-V', 'print the version and what the server was built with'],
  ['-h', 'print this list of options'],
  ['-l', 'print the modules that are built in'],
  ['-L', 'print all directives with their help'],
  ['-t -D DUMP_VHOSTS', 'print the virtual hosts as they were understood'],
  ['-t -D DUMP_RUN_CFG', 'print the settings the server would run with'],
  ['-S', 'short for -t -D DUMP_VHOSTS -D DUMP_RUN_CFG'],
  ['-t -D DUMP_MODULES', 'print all modules that are loaded'],
  ['-M', 'short for -t -D DUMP_MODULES'],
  ['-t -D DUMP_INCLUDES', 'print all configuration files that are read'],
  ['-t', 'check the configuration and do nothing else'],
  ['--htaccess [dir]', 'with -t: check .htaccess files below a folder, or all'],
  ['--lint [--json]', 'with -t: find access rules that do not do what they say'],
  ['-T', 'start without a look at DocumentRoot'],
  ['-X', 'for debugging: a single worker, in the foreground'],
]
