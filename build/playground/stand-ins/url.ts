export function fileURLToPath(url: string | URL): string {
  return decodeURIComponent(new URL(url).pathname)
}

export function pathToFileURL(path: string): URL {
  return new URL(`file://${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}`)
}
