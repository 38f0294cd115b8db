const WIDTH = 12

/** Figures and their names, one in a line. */
export function tableOf(figures: Readonly<Record<string, number>>): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${(Number.isInteger(figure) ? String(figure) : figure.toFixed(1)).padStart(WIDTH)}  ${name}`)
    .join('\n')
}
