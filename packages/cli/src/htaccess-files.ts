import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import type { BoundConfiguration, CheckedHtaccess } from '@gatewright/core'
import type { StartConsole } from '@gatewright/mpm/supervisor'
import { counted } from './counted.ts'
import { ProgressLine } from './progress-line.ts'

/**
 * `-t --htaccess`: reports every error in the .htaccess files of some folders and their subfolders.
 * @param folders as written on the command line; none for all that are served
 * @returns the number of invalid files and missing folders
 */
export function checkHtaccessFiles(configuration: BoundConfiguration, folders: readonly string[], console: StartConsole): number {
  const progress = new ProgressLine(isatty(2) ? 'shown' : 'hidden')
  let folderCount = 0
  let wrong = 0
  const files: CheckedHtaccess[] = []
  for (const written of folders.length > 0 ? folders : configuration.servedFolders()) {
    const folder = existingFolder(written)
    if (folder === undefined) {
      if (folders.length === 0) continue
      console.err(`${written}: no such folder`)
      wrong++
      continue
    }
    for (const { file } of configuration.checkAccessFiles(folder)) {
      folderCount++
      if (file !== null) {
        files.push(file)
        if (file.mistakes.length > 0) wrong++
        progress.clear()
        tellMistakes(file, console)
      }
      progress.show(`${counted(folderCount, 'folder')}, ${counted(files.length, '.htaccess file')}, ${wrong} wrong`)
    }
  }
  progress.clear()
  console.out(summary(files, wrong, folderCount))
  return wrong
}

function tellMistakes({ mistakes }: CheckedHtaccess, console: StartConsole): void {
  for (const { file, line, message, hint } of mistakes) {
    const place = line > 0 ? `${file}:${line}` : file
    console.err(message.startsWith(`${place}: `) ? message : `${place}: ${message}`)
    if (hint !== undefined) console.err(`hint: ${hint}`)
  }
}

function summary(files: readonly CheckedHtaccess[], wrong: number, folders: number): string {
  const unread = files.filter(({ isRead }) => !isRead).length
  const checked = `${counted(files.length - unread, '.htaccess file')} checked in ${counted(folders, 'folder')}, ${wrong} wrong`
  return unread === 0 ? checked : `${checked}; ${unread} not read by the server, AllowOverride is None there`
}

/**
 * The folder's absolute path, undefined if it does not exist. Links are not resolved, because sections and
 * requests name folders in the same way.
 */
function existingFolder(written: string): string | undefined {
  const path = resolve(written)
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : undefined
}
