import type { ModuleLog, Request } from '@gatewright/api'
import type { ImagemapConfig } from './config.ts'
import type { MapLine } from './map-line.ts'
import { resolveValue } from './map-urls.ts'
import { Menu } from './menu.ts'
import { isInCircle, isInPolygon, isInRectangle, type Point, squaredDistance } from './shapes.ts'

/** A page, or the value to act upon; null for a map that cannot be used. */
export type SearchResult = { readonly page: string } | { readonly target: string | null }

type Directive = MapLine & { readonly kind: 'directive' }

const AREAS: ReadonlyMap<string, (point: Point, corners: readonly Point[]) => boolean> = new Map([
  ['rect', isInRectangle],
  ['circle', isInCircle],
  ['poly', isInPolygon],
])

/** Goes through the lines of a map: looks for the area of a click, or collects the menu. */
export class MapSearch {
  readonly #request: Request
  readonly #log: ModuleLog
  readonly #click: Point | null
  readonly #menu: Menu | null
  #base: string | null
  #fallback: string | null
  #closest: { readonly value: string; readonly distance: number } | null = null

  constructor(request: Request, config: Readonly<ImagemapConfig>, log: ModuleLog) {
    const { menu = 'formatted', fallback = 'nocontent', base = 'map' } = config
    this.#request = request
    this.#log = log
    this.#click = clickIn(request.args)
    this.#base = this.#resolve('', base)
    this.#fallback = this.#resolve('', fallback)
    const hasMenu = this.#click === null && !menu.toLowerCase().startsWith('no')
    this.#menu = hasMenu ? new Menu(menu, request.uri) : null
  }

  /** @returns the result, or null if the search continues with the next line */
  see(line: MapLine): SearchResult | null {
    if (this.#base === null) return { target: null }
    switch (line.kind) {
      case 'blank':
        this.#menu?.addBlank()
        return null
      case 'comment':
        this.#menu?.addComment(line)
        return null
      case 'directive':
        return this.#obey(line, this.#base)
      case 'unreadable': {
        const { uri } = this.#request
        const text = `map file ${uri}, line ${line.number} syntax error: requires at least two fields`
        this.#log.write(this.#request, 'error', 'AH00679', text)
        return this.#fail()
      }
    }
  }

  /** The result after the last line. */
  end(): SearchResult {
    if (this.#base === null) return { target: null }
    if (this.#menu !== null) return { page: this.#menu.end() }
    const value = this.#closest?.value ?? this.#fallback
    return { target: value === null ? null : this.#resolve(this.#base, value) }
  }

  #obey(line: Directive, base: string): SearchResult | null {
    const { name, value } = line
    if (name.startsWith('base')) {
      this.#base = this.#resolve('', value)
      return this.#base === null ? this.#fail() : null
    }
    if (name === 'default') {
      this.#fallback = this.#resolve('', value)
      return this.#fallback === null ? this.#fail() : this.#show(line, base, this.#fallback, 'default')
    }
    if (this.#menu !== null) return this.#show(line, base, value, 'area')
    return this.#click === null || line.corners.length === 0 ? null : this.#compare(line, base, this.#click)
  }

  #show({ text, value }: Directive, base: string, target: string, place: 'default' | 'area'): SearchResult | null {
    if (this.#menu === null) return null
    const href = this.#resolve(base, target)
    if (href === null) return this.#fail()
    this.#menu.addLink(href, text ?? (place === 'default' ? target : value), place)
    return null
  }

  #compare({ name, value, corners }: Directive, base: string, click: Point): SearchResult | null {
    if (AREAS.get(name)?.(click, corners) === true) return { target: this.#resolve(base, value) }
    if (name !== 'point') return null
    const distance = squaredDistance(click, corners[0])
    if (this.#closest === null || distance < this.#closest.distance) this.#closest = { value, distance }
    return null
  }

  /** A menu whose beginning is good is sent with a remark. */
  #fail(): SearchResult {
    if (this.#menu === null) return { target: null }
    this.#menu.addFailure()
    return { page: this.#menu.end() }
  }

  #resolve(base: string, value: string): string | null {
    return resolveValue(this.#request, this.#log, base, value)
  }
}

/** The coordinates in a query; null if there are none, or if they are `0,0` as those of text browsers. */
function clickIn(args: string | null): Point | null {
  const [, before = '', after = ''] = /^([^,]*),(.*)$/s.exec(args ?? '') ?? []
  const x = /\d.*$/s.exec(before)?.[0] ?? ''
  const y = /\d.*$/s.exec(after)?.[0] ?? ''
  if (x === '' || y === '') return null
  const click = { x: Number.parseFloat(x), y: Number.parseFloat(y) }
  return click.x === 0 && click.y === 0 ? null : click
}
