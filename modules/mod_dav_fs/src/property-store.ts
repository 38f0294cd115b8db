import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { DavError, type DeadProperty } from '@gatewright/dav'
import { failure, hasCode } from './failure.ts'
import { bytesOf, folderOf, nameOf, STATE_FOLDER, temporaryPath } from './names.ts'

/** The longest file of properties, in characters: more is refused. */
const MAX_LENGTH = 8 * 1024 * 1024

/** The name of the properties of a folder itself. */
const OF_FOLDER = '.state_for_dir'

/** The properties that clients define, in a file for each resource. */
export class PropertyStore {
  /** The file of the properties of a resource. */
  pathOf(path: string, kind: 'file' | 'folder'): string {
    return kind === 'folder'
      ? `${path}/${STATE_FOLDER}/${OF_FOLDER}.json`
      : `${folderOf(path)}/${STATE_FOLDER}/${nameOf(path)}.json`
  }

  read(path: string, kind: 'file' | 'folder'): readonly DeadProperty[] {
    try {
      return propertiesIn(JSON.parse(readFileSync(bytesOf(this.pathOf(path, kind))).toString('utf8')))
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return []
      throw failure(error, 500, 'The property database could not be opened.', 'The property database could not be opened.')
    }
  }

  write(path: string, kind: 'file' | 'folder', properties: readonly DeadProperty[]): void {
    const file = this.pathOf(path, kind)
    if (properties.length === 0) return rmSync(bytesOf(file), { force: true })
    const text = JSON.stringify(properties)
    if (text.length > MAX_LENGTH) throw new DavError(507, 'The properties of this resource are too large.')
    const aside = temporaryPath(file)
    try {
      mkdirSync(bytesOf(folderOf(file)), { recursive: true })
      writeFileSync(bytesOf(aside), text, { flush: true })
      renameSync(bytesOf(aside), bytesOf(file))
    } catch (error) {
      rmSync(bytesOf(aside), { force: true })
      throw failure(error, 500, 'Could not save the properties.', 'There is not enough storage to save the properties.')
    }
  }

  /** Lets the properties of a file follow it. */
  follow(from: string, to: string, how: 'copy' | 'move'): void {
    const properties = this.read(from, 'file')
    this.write(to, 'file', properties)
    if (how === 'move') this.forget(from)
  }

  /** Removes the properties of a file. */
  forget(path: string): void {
    rmSync(bytesOf(this.pathOf(path, 'file')), { force: true })
  }
}

function propertiesIn(data: unknown): DeadProperty[] {
  if (!Array.isArray(data)) throw new Error('not a list of properties')
  return data.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) throw new Error('not a property')
    const { namespace, name, xml } = Object.assign({ namespace: null, name: null, xml: null }, item)
    if (typeof namespace !== 'string' || typeof name !== 'string' || typeof xml !== 'string') throw new Error('not a property')
    return { namespace, name, xml }
  })
}
