import { relative } from 'node:path'
import type { Place } from './explanation.ts'

/** Shows a place in the shortest unambiguous form. */
export type PlaceText = (place: Place) => string

/** Places below a folder are shown relative to it. */
export function placeTextBelow(folder: string): PlaceText {
  return ({ file, line }) => {
    const path = relative(folder, file)
    const shown = path.startsWith('..') || path === '' ? file : path
    return line === 0 ? shown : `${shown}:${line}`
  }
}
