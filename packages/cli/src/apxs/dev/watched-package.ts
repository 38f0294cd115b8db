import { readdirSync } from 'node:fs'

/** Folders of a package whose files are not its author's work: installed packages, version control, editors. */
const PASSED_OVER = /^(?:node_modules$|\.)/

/** The folders below a package in which its author works. A folder that disappears in the meantime counts as empty. */
export function* foldersOfPackage(top: string): Generator<string, void, void> {
  const folders = [top]
  for (const folder of folders) {
    for (const name of namesOfFolders(folder)) {
      if (PASSED_OVER.test(name)) continue
      const path = `${folder}/${name}`
      folders.push(path)
      yield path
    }
  }
}

function namesOfFolders(folder: string): string[] {
  try {
    return readdirSync(Buffer.from(folder, 'latin1'), { encoding: 'latin1', withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch {
    return []
  }
}
