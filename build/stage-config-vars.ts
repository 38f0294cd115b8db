import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { place } from './place.ts'

/** Names of httpd's `config_vars.mk` for a staged server root; folders are relative to it, so that it can be moved. */
const VARS = `prefix = .
exec_prefix = .
bindir = bin
sbindir = bin
libdir = lib
libexecdir = modules
sysconfdir = conf
datadir = .
installbuilddir = build
htdocsdir = htdocs
includedir = include
localstatedir = .
runtimedir = logs
logfiledir = logs
progname = httpd
MPM_NAME = event
HTTPD_VERSION = 2.4.71
HTTPD_MMN = 20120211
CC = node
CFLAGS =
`

export function stageConfigVars(root: string): void {
  mkdirSync(join(root, 'build'), { recursive: true })
  place(join(root, 'build/config_vars.mk'), VARS)
}
