/** `0`, `3.4`, `120`, `12.4 k`. */
export function count(value: number): string {
  if (value < 10) return String(Math.round(value * 10) / 10)
  if (value < 10_000) return String(Math.round(value))
  if (value < 1e6) return `${tenths(value / 1e3)} k`
  return `${tenths(value / 1e6)} M`
}

export function bytes(value: number): string {
  if (value < 1000) return `${Math.round(value)} B`
  if (value < 1e6) return `${tenths(value / 1e3)} kB`
  if (value < 1e9) return `${tenths(value / 1e6)} MB`
  return `${tenths(value / 1e9)} GB`
}

/** A duration in a readable unit; a dash for none. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`
  if (seconds < 0.01) return `${tenths(seconds * 1e3)} ms`
  if (seconds < 1) return `${Math.round(seconds * 1e3)} ms`
  return `${tenths(seconds)} s`
}

/** A duration in days, hours and minutes, of which the two greatest are shown. */
export function age(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return `${Math.floor(seconds)} s`
  if (minutes < 60) return `${minutes} min`
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return `${Math.floor(minutes / 1440)} d ${Math.floor(minutes / 60) % 24} h`
}

export function percent(share: number): string {
  return `${share < 0.1 ? tenths(share * 100) : Math.round(share * 100)} %`
}

export function timeOfDay(milliseconds: number): string {
  return new Date(milliseconds).toTimeString().slice(0, 8)
}

function tenths(value: number): string {
  return value.toFixed(1)
}
