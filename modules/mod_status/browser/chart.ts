import { element, svgElement } from './element.ts'
import { LENGTH } from './history.ts'
import type { Latency, Rate, Sample } from './sample.ts'
import type { Scale } from './scale.ts'
import type { ConnectionState } from './status.ts'

/** Size of the drawing in its own units; it is scaled to the available space. */
const WIDTH = LENGTH - 1
const HEIGHT = 100

export interface Series {
  readonly key: Rate | Latency | ConnectionState
  readonly label: string
  /** CSS class of its colour. */
  readonly color: string
}

export interface ChartOptions {
  readonly title: string
  readonly series: readonly Series[]
  /** Stacked areas, or one line per series. */
  readonly kind: 'stack' | 'lines'
  /** The scale for the drawn values. */
  readonly scaleOf: (values: readonly number[]) => Scale
  readonly format: (value: number) => string
}

/** A chart of the past two minutes, with a legend that shows the latest values as text. */
export class Chart {
  readonly element: HTMLElement
  readonly #options: ChartOptions
  readonly #drawing: SVGSVGElement = svgElement('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
  })
  readonly #marks: HTMLElement = element('div', { class: 'marks', 'aria-hidden': 'true' })
  readonly #values = new Map<string, HTMLElement>()

  constructor(options: ChartOptions) {
    this.#options = options
    const { title, series } = options
    const legend = element('ul', { class: 'legend' })
    for (const { key, label, color } of series) {
      const value = element('b', {}, '–')
      this.#values.set(key, value)
      legend.append(element('li', { class: color }, element('i'), `${label} `, value))
    }
    this.element = element(
      'figure',
      {},
      element('figcaption', {}, title),
      element('div', { class: 'plot' }, this.#drawing, this.#marks),
      element(
        'div',
        { class: 'times', 'aria-hidden': 'true' },
        ...['2 min ago', '1 min ago', 'now'].map((text) => element('span', {}, text)),
      ),
      legend,
    )
  }

  draw(samples: readonly Sample[]): void {
    const { title, series, kind, scaleOf, format } = this.#options
    const scale = scaleOf(samples.flatMap((sample) => this.#tops(sample)))
    const shapes = kind === 'stack' ? this.#areas(samples, scale) : this.#lines(samples, scale)
    this.#drawing.replaceChildren(...grid(scale), ...reloads(samples), ...shapes)
    this.#marks.replaceChildren(...scale.marks.map((mark) => markLabel(format(mark), scale.place(mark))))
    const latest = samples.at(-1)
    const texts = series.map(({ key, label }) => {
      const value = latest?.[key] ?? null
      const text = value === null ? '–' : format(value)
      const shown = this.#values.get(key)
      if (shown !== undefined) shown.textContent = text
      return `${label} ${text}`
    })
    this.#drawing.setAttribute('aria-label', `${title} over two minutes; now: ${texts.join(', ')}`)
  }

  /** The greatest values drawn for a sample. */
  #tops(sample: Sample): readonly number[] {
    const values = this.#options.series.map(({ key }) => sample[key]).filter((value) => value !== null)
    return this.#options.kind === 'stack' ? [values.reduce((total, value) => total + value, 0)] : values
  }

  #areas(samples: readonly Sample[], scale: Scale): readonly SVGElement[] {
    const heights = samples.map(() => 0)
    const edge = (): string[] => heights.map((height, index) => point(samples, index, scale.place(height)))
    return this.#options.series.map(({ key, color }) => {
      const lower = edge().reverse()
      for (const [index, sample] of samples.entries()) heights[index] += sample[key] ?? 0
      const path = samples.length < 2 ? '' : `M${edge().join('L')}L${lower.join('L')}Z`
      return svgElement('path', { class: `area ${color}`, d: path })
    })
  }

  /** Lines, interrupted where there is no value. */
  #lines(samples: readonly Sample[], scale: Scale): readonly SVGElement[] {
    return this.#options.series.map(({ key, color }) => {
      let path = ''
      let isOpen = false
      for (const [index, sample] of samples.entries()) {
        const value = sample[key]
        // A dot is visible even if no value follows.
        if (value !== null)
          path += isOpen ? `L${point(samples, index, scale.place(value))}` : `M${point(samples, index, scale.place(value))}h.01`
        isOpen = value !== null
      }
      return svgElement('path', { class: `line ${color}`, d: path })
    })
  }
}

/** The coordinates of a value; the latest sample is at the right edge. */
function point(samples: readonly Sample[], index: number, height: number): string {
  return `${WIDTH - (samples.length - 1 - index)},${((1 - height) * HEIGHT).toFixed(2)}`
}

function grid(scale: Scale): readonly SVGElement[] {
  return scale.marks.map((mark) => svgElement('path', { class: 'grid', d: `M0,${(1 - scale.place(mark)) * HEIGHT}H${WIDTH}` }))
}

/** A vertical line where a new generation took over. */
function reloads(samples: readonly Sample[]): readonly SVGElement[] {
  return samples.flatMap(({ generation }, index) => {
    if (index === 0 || samples[index - 1].generation === generation) return []
    const x = WIDTH - (samples.length - 1 - index)
    return svgElement(
      'path',
      { class: 'reload', d: `M${x},0V${HEIGHT}` },
      svgElement('title', {}, `generation ${generation} takes over`),
    )
  })
}

function markLabel(text: string, height: number): HTMLElement {
  const label = element('span', {}, text)
  label.style.bottom = `${height * 100}%`
  return label
}
