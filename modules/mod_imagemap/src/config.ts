export interface ImagemapConfig {
  menu?: string
  fallback?: string
  base?: string
}

export function mergeImagemapConfig(base: Readonly<ImagemapConfig>, over: Readonly<ImagemapConfig>): ImagemapConfig {
  return {
    menu: over.menu ?? base.menu,
    fallback: over.fallback ?? base.fallback,
    base: over.base ?? base.base,
  }
}
