/** The product's name and version, defined only here. */
export const PRODUCT: { readonly name: string; readonly version: string } = { name: 'Gatewright', version: '0.1.0' }

export type ServerTokens = 'full' | 'os' | 'minimal' | 'minor' | 'major' | 'prod'

/** The value of the Server header and of -v, as detailed as ServerTokens allows. */
export function productBanner(tokens: ServerTokens): string {
  const { name, version } = PRODUCT
  const [major, minor] = version.split('.')
  switch (tokens) {
    case 'prod':
      return name
    case 'major':
      return `${name}/${major}`
    case 'minor':
      return `${name}/${major}.${minor}`
    case 'minimal':
      return `${name}/${version}`
    default:
      return `${name}/${version} (Unix)`
  }
}
